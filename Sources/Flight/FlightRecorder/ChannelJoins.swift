internal import ChannelProtocol
internal import UAVLink

/// A note to be recorded, and the traced channel that carried it, for whose trace it waits.
struct QueuedEntry {
    var note: RecordingEntry
    var channel: Int?
    /// The channel's receipt of a setpoint.
    var receipt: SteeringReceipt?
}

/// The traced channels of one recording; used only by the recording's thread.
struct ChannelJoins {
    private var joins: [Int: TraceJoin] = [:]

    /// The note if it can be written at once; `nil` if it must wait for the trace.
    mutating func sort(_ queued: QueuedEntry, now: MonotonicTime) -> RecordingEntry? {
        guard let channel = queued.channel else { return queued.note }
        switch queued.note {
        case .setpoint(let setpoint):
            guard let receipt = queued.receipt else { return queued.note }
            joins[channel, default: TraceJoin()].hold(setpoint, receipt, now: now)
        case .command(let command): joins[channel, default: TraceJoin()].hold(command, now: now)
        case .telemetry, .event, .plan: return queued.note
        }
        return nil
    }

    /// Collects the channels' traces.
    mutating func gather(_ sources: [Int: @Sendable () -> [ChannelTrace]]) {
        for (channel, take) in sources {
            for part in take() { joins[channel, default: TraceJoin()].add(part) }
        }
    }

    /// The notes that are complete or have waited for too long.
    mutating func take(now: MonotonicTime, isLast: Bool) -> [RecordingEntry] {
        var out: [RecordingEntry] = []
        for channel in joins.keys.sorted() { out += joins[channel]?.take(now: now, isLast: isLast) ?? [] }
        return out
    }

    /// Whether no note of a channel waits.
    func isSettled(_ channel: Int) -> Bool { joins[channel]?.isEmpty ?? true }
}
