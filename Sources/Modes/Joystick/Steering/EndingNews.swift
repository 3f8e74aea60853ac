internal import UAVLink

/// Whether it is still news why steering ended: what the vehicle has done since may make it stale, and then it would be taken for what
/// the vehicle does now.
struct EndingNews: Hashable {
    /// So long it is shown whatever happens: a user must have the time to read it. The tracker's own goal after a brake, the place
    /// where the vehicle stops, is reached by then.
    static let shortest: Duration = .seconds(5)

    /// When steering ended.
    let at: MonotonicTime
    /// What the vehicle did then.
    let state: FlightState
    /// Whether it has been stale once: after a goto has been flown the telemetry is as it was before, and the reason no news again.
    private var isOld = false

    init(at: MonotonicTime, state: FlightState) { (self.at, self.state) = (at, state) }

    /// Whether telemetry shows, or has shown, something newer: another state, the end of what was commanded, or a newer command.
    mutating func isStale(_ reason: StopReason, knowing telemetry: Telemetry?, now: MonotonicTime) -> Bool {
        if !isOld { isOld = shows(newerThan: reason, telemetry, now: now) }
        return isOld
    }

    private func shows(newerThan reason: StopReason, _ telemetry: Telemetry?, now: MonotonicTime) -> Bool {
        guard now - at >= Self.shortest, let telemetry, let flight = telemetry.flight, flight.at > at else {
            return false
        }
        guard flight.value.state == state else { return true }
        guard state == .flying, let tracker = telemetry.tracker, tracker.at > at else { return false }
        let isMoved = tracker.value.hasGoal || tracker.value.isTrackingTrajectory
        if case .command = reason { return !isMoved }
        return isMoved
    }
}
