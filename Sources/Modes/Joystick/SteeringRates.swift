internal import UAVLink

/// The rates of setpoints sent and applied, recorded for the screen at every tick.
struct SteeringRates {
    private(set) var sent = RateMeter()
    private(set) var applied = RateMeter()

    /// Records a vehicle's counters; they count only while it is steered.
    mutating func look(at quality: LinkQuality, isSteered: Bool, now: MonotonicTime) {
        guard isSteered else {
            sent.reset()
            applied.reset()
            return
        }
        sent.look(quality.setpointsSent, at: now)
        if let count = quality.setpointsApplied { applied.look(count, at: now) }
    }
}
