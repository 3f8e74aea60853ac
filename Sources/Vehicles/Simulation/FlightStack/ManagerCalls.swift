internal import FlightVolume
internal import Geodesy
internal import UAVLink

extension HexacopterSimulator {
    /// Calls that change settings and do not move the vehicle.
    mutating func configure(_ request: ServiceCall) -> ServiceAnswer {
        switch request {
        case .setConstraints(let name):
            guard Constraints.named(name) != nil else { return .no(Refusal.noConstraints(name)) }
            let isNew = stack.constraints != name
            stack.constraints = name
            return .yes("the constraints '\(name)' \(isNew ? "were" : "are") set")
        case .setGains(let name):
            guard FlightStackNames.gains.contains(name) else { return .no(Refusal.noGains(name)) }
            stack.gains = name
            return .yes("the gains '\(name)' are set")
        case .switchTracker(let name):
            guard FlightStackNames.trackers.contains(name) || name == "NullTracker" else {
                return .no(Refusal.noTracker(name))
            }
            guard name == stack.trackerName else { return .no(Refusal.notImplemented) }
            return .yes("not switching, the tracker '\(name)' is already active!")
        case .switchController(let name):
            guard FlightStackNames.controllers.contains(name) || name == stack.controllerName else {
                return .no(Refusal.noController(name))
            }
            guard name != stack.controllerName else {
                return .yes("not switching, the controller '\(name)' is already active!")
            }
            guard stack.phase == .flying, FlightStackNames.flightControllers.contains(name) else {
                return .no(Refusal.notImplemented)
            }
            stack.flightController = name
            return .yes("the controller '\(name)' was activated")
        case .changeEstimator(let name):
            guard FlightStackNames.estimators.contains(name) else { return .no(Refusal.noEstimator(name)) }
            stack.estimator = name
            return .yes("switched to estimator '\(name)'")
        case .enableCallbacks(let on):
            stack.callbacksEnabled = on
            return .yes(on ? "callbacks enabled" : "callbacks disabled")
        case .useSafetyArea(let on):
            safety?.isEnabled = on
            return .yes(on ? "safety area enabled" : "safety area disabled")
        case .bumper(let on):
            stack.isBumperActive = on
            return .yes(on ? "bumper enabled" : "bumper disabled")
        case .setMinimumZ(let frame, let metres):
            guard metres.isFinite else { return .no(Refusal.notFinite) }
            guard let low = frames.height(metres, frame: frame) else { return .no(Refusal.unknownFrame) }
            safety?.minimumZMetres = low
            return .yes("the minimum z is set")
        default: return .no(Refusal.notImplemented)
        }
    }
}
