internal import UAVLink

/// A safety pilot who flies the vehicle by radio: its autopilot holds the position, and obeys no flight stack.
struct RadioPilot: Hashable, Sendable {
    /// The autopilot's own motion, which no tracker of the flight stack commands.
    var motion: Tracker
    /// Whether the pilot lands it.
    private(set) var isLanding = false
    /// When it touched the ground, seconds.
    var touchedDownAt: Double?

    /// Stops, and holds the position.
    init(from tracker: Tracker) {
        motion = tracker
        motion.trajectory = nil
        motion.stop()
    }

    mutating func land() {
        isLanding = true
        // Far below the ground, so that the descent ends at touch-down.
        let below = Vector3(x: motion.position.x, y: motion.position.y, z: -1000)
        motion.goImmediately(to: .init(position: below, headingRadians: motion.headingRadians))
    }
}

/// The radio, as recorded on the real stack: its control manager switches the output off as soon as the autopilot's status shows
/// that offboard mode has ended in flight. Nothing in the air activates a tracker again but another take-off, so the pilot lands the
/// vehicle.
extension HexacopterSimulator {
    mutating func callRadio(_ request: ServiceCall) -> ServiceAnswer {
        switch request {
        case .radio(true): takeByRadio()
        case .radio(false): giveBackByRadio()
        case .radioLanding: landByRadio()
        default: .no(Refusal.notImplemented)
        }
    }

    /// Leaves offboard mode; the flight stack sees that by the autopilot's status.
    private mutating func takeByRadio() -> ServiceAnswer {
        if radio == nil {
            guard let tracker, !body.isOnGround else { return .no(Refusal.notFlying) }
            radio = RadioPilot(from: tracker)
        }
        stack.isOffboard = false
        return .yes("flown by radio")
    }

    /// Requests offboard mode. The autopilot enters it only while control output flows, and then obeys that: in the air, with
    /// NullTracker, it is an idling thrust.
    private mutating func giveBackByRadio() -> ServiceAnswer {
        radio == nil ? .no(Refusal.notHeldByRadio) : enterOffboard()
    }

    private mutating func landByRadio() -> ServiceAnswer {
        guard radio != nil else { return .no(Refusal.notHeldByRadio) }
        radio?.land()
        return .yes("landing by radio")
    }

    /// The pilot disarms a vehicle that has stood on the ground for a moment.
    mutating func updateRadio() {
        guard let pilot = radio, pilot.isLanding, body.isOnGround else { return }
        let touchedDownAt = pilot.touchedDownAt ?? seconds
        radio?.touchedDownAt = touchedDownAt
        guard seconds - touchedDownAt >= StackState.Timing.groundDwell else { return }
        stack.isArmed = false
        radio = nil
        controller.reset(headingRadians: body.attitude.headingRadians)
    }
}
