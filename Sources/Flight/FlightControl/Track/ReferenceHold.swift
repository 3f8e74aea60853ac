package import UAVLink

/// Since when a flying vehicle takes no references, as its tracker's telemetry says: so it is with MRS's stack after an emergency hover,
/// after a hover that has interrupted a landing, and on the way home to land.
struct ReferenceHold: Sendable {
    /// While it changes its tracker, telemetry says so for up to 0.1 s (real flight stack).
    static let settling: Duration = .milliseconds(500)

    private var since: MonotonicTime?

    /// Adds telemetry.
    mutating func take(_ telemetry: Telemetry, at now: MonotonicTime) {
        since = telemetry.takesNoReferences(now: now) ? since ?? now : nil
    }

    /// Whether it has said so for longer than a change of trackers takes.
    func hasLasted(now: MonotonicTime) -> Bool { since.map { now - $0 >= Self.settling } ?? false }
}

extension Telemetry {
    /// Maximum age of the tracker's state.
    private static let oldestTracker: Duration = .seconds(3)

    /// Whether it shows, at this time, a vehicle that flies and takes no references: no setpoint, no goal, no trajectory.
    package func takesNoReferences(now: MonotonicTime) -> Bool {
        guard flight?.value.state == .flying, let tracker else { return false }
        return !tracker.value.takesReferences && tracker.age(now: now) <= Self.oldestTracker
    }

    /// Why such a vehicle refuses a reference, and what to do.
    ///
    /// - Parameter references: what it refuses: `setpoints`.
    package static func refusal(of references: String) -> String {
        "the vehicle takes no \(references): it flies home to land, or holds after an emergency hover or an "
            + "interrupted landing (then land, and take off again)"
    }
}

extension Fleet {
    /// Whether a vehicle flies and takes no references, for longer than a change of trackers takes. One that is flown by radio is not
    /// meant: that is another reason.
    package func takesNoReferences(_ vehicle: LoggedInVehicle) -> Bool {
        let now = clock.now
        guard vehicle.link.latestTelemetry?.takesNoReferences(now: now) == true,
            radioFlight(of: vehicle) != .certain
        else { return false }
        return history(of: vehicle.id)?.takesNoReferences(now: now) == true
    }
}
