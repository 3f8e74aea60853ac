internal import FlightControl
internal import UAVLink

/// What acts now.
extension RouteFlightController {
    /// Why the vehicle will refuse an action, as its link and its telemetry say; `nil` if it will not, or if that is not known.
    ///
    /// For questions and help: a command that is given anyway is sent, since telemetry may be from before a change. The flight
    /// stack loads a trajectory in flight only (recorded on the real one; see `HexacopterSimulator.load`), and in an emergency it takes
    /// none and flies none. After a hover that ended a landing it takes none, and flies the one that it has.
    package func expectedRefusal(of action: RouteAction) -> TrajectoryFlightFailure? {
        guard action != .stop, let telemetry = flight.link.latestTelemetry else { return nil }
        guard flight.link.quality.isConnected else { return .linkLost }
        guard let status = telemetry.flight, status.age(now: clock.now) < Self.oldestFlightStatus else { return nil }
        if telemetry.wasFlownByRadio { return .flownByRadio }
        return switch status.value.state {
        case .disarmed, .armed, .takingOff, .landing, .emergency: .notFlying(status.value.state)
        case .flying where action == .send && (takesNoReferences?() ?? telemetry.takesNoReferences(now: clock.now)):
            .takesNone
        case .unknown, .flying: nil
        }
    }

    /// The actions that act now, the most useful first. Sending again what the vehicle flies, which would end the flight, is not
    /// among them.
    package var offered: [RouteAction] {
        let useful: [RouteAction] =
            switch state {
            case .nothingSent, .failed: [.send]
            case .uploading: flight.progress.isTracking ? [.stop] : []
            case .uploaded(let held, _), .flown(let held, _):
                held.isOlder ? [.send, .start, .goToStart] : [.start, .goToStart, .send]
            case .goingToStart(let held, _, _): held.isOlder ? [.stop, .start, .send] : [.stop, .start]
            case .flying(let held, _, _): held?.isOlder == false ? [.stop] : [.stop, .send]
            case .stopped(let held, _):
                held.isOlder ? [.send, .resume, .start, .goToStart] : [.resume, .start, .goToStart, .send]
            }
        return useful.filter { allows($0) && expectedRefusal(of: $0) == nil }
    }
}
