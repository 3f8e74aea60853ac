internal import FlightControl
internal import UAVLink

/// Something that keeps requested control from engaging.
struct ControlObstacle: Hashable {
    /// What is the case: `the vehicle is disarmed`.
    var words: String
    /// What control waits for, to follow "once": `the vehicle flies`.
    var condition: String
}

extension JoystickInteractor {
    /// Why a command of a pilot would be refused by all of these; `nil` if it may be accepted.
    func authorityObstacle(of vehicles: [LoggedInVehicle]) -> String? { fleet.authorityObstacle(of: vehicles) }

    /// Why a vehicle cannot be steered, and will not be by itself; `nil` if it can, or may later.
    ///
    /// A request is not kept over a lost link: what flies when it is back may be another flight, begun by somebody else.
    func refusalOfControl(of vehicle: LoggedInVehicle) -> String? {
        guard !vehicle.isLinkLost else { return "\(vehicle.title): link lost: take control when it is back" }
        switch vehicle.link.latestTelemetry?.flight?.value.state ?? .unknown {
        case .emergency:
            return vehicle.link.vehicleCapabilities.takeOffClearsEmergency
                ? "\(vehicle.title): in an emergency: look at it; then t clears it"
                : "\(vehicle.title): in an emergency: it accepts no commands"
        case .unknown, .disarmed, .armed: return fleet.outputLock(of: vehicle)
        case .flying where fleet.takesNoReferences(vehicle):
            return "\(vehicle.title): \(Telemetry.refusal(of: "setpoints"))"
        case .takingOff, .flying, .landing: return nil
        }
    }

    /// A key that steers was pressed, and nothing is steered: says what comes first, once for a key that is held.
    func steersNothing(_ advice: String) {
        let now = clock.now
        defer { toldToTakeControl = now }
        if let toldToTakeControl, now - toldToTakeControl < .seconds(2) { return }
        let isReady = advice == Self.takesControl
        tell(Notice(.information, isReady ? "\(advice) first" : "nothing is steered: \(advice)"))
    }

    /// The next step of a vehicle that flies.
    static let takesControl = "Enter takes control"

    /// `: no output, no offboard, no take-off`; empty where it may be flown by radio.
    private func missing(_ vehicle: LoggedInVehicle, _ telemetry: Telemetry?) -> String {
        guard radioFlight(of: vehicle) == .no, let status = telemetry?.flight?.value else { return "" }
        let missing = status.missingToFly(of: vehicle.link.vehicleCapabilities).map { "no \($0)" }
        return missing.isEmpty ? "" : ": \(missing.joined(separator: ", "))"
    }

    /// What keeps control from engaging; empty when nothing does.
    var obstacles: [ControlObstacle] {
        guard let vehicle = selected else {
            return [ControlObstacle(words: "not logged in to a vehicle", condition: "a vehicle is logged in")]
        }
        var obstacles: [ControlObstacle] = []
        if !vehicle.link.quality.isConnected {
            let words = vehicle.isLinkLost ? "link lost" : "the link is not connected"
            obstacles.append(.init(words: words, condition: "the link is connected"))
        }
        let telemetry = vehicle.link.latestTelemetry
        let state = telemetry?.flight?.value.state ?? .unknown
        if radioFlight(of: vehicle) == .certain {
            obstacles.append(
                .init(words: "the vehicle is flown by radio", condition: "its flight stack flies it again"))
        } else if state != .flying {
            obstacles.append(
                .init(
                    words: state == .unknown
                        ? "no telemetry yet" : "the vehicle is \(state.condition)\(missing(vehicle, telemetry))",
                    condition: "the vehicle flies"))
        } else if telemetry?.takesNoReferences(now: clock.now) == true {
            obstacles.append(
                .init(words: Telemetry.refusal(of: "setpoints"), condition: "the vehicle takes setpoints"))
        }
        switch source?.reading(at: clock.now) {
        case nil: obstacles.append(.init(words: "no game controller", condition: "a game controller is connected"))
        case .stop(let reason):
            obstacles.append(.init(words: reason.words, condition: "a game controller is connected"))
        case .deflection(let requested):
            let nonNeutralAxes = shaping.nonNeutralAxes(of: requested)
            if !nonNeutralAxes.isEmpty {
                obstacles.append(
                    .init(
                        words: "centre the sticks: \(nonNeutralAxes.joined(separator: ", "))",
                        condition: "the sticks are centred"))
            }
        }
        return obstacles
    }
}
