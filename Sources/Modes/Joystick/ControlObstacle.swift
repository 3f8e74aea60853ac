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
        let state = vehicle.link.latestTelemetry?.flight?.value.state ?? .unknown
        if radioFlight(of: vehicle) == .certain {
            obstacles.append(
                .init(words: "the vehicle is flown by radio", condition: "its flight stack flies it again"))
        } else if state != .flying {
            obstacles.append(
                .init(
                    words: state == .unknown ? "no telemetry yet" : "the vehicle is \(state.words)",
                    condition: "the vehicle flies"))
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
