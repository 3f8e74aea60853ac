internal import SocketTransport
internal import UAVLink

/// Something to be recorded, and the traced channel over which it went, whose notes it waits for.
struct QueuedNote {
    var note: FlightNote
    var channel: Int?
}

/// The channels of one recording; used by the recording's thread only.
struct ChannelJoins {
    private var joins: [Int: TraceJoin] = [:]

    /// What can be written at once; `nil` for what waits.
    mutating func sort(_ queued: QueuedNote, now: MonotonicTime) -> FlightNote? {
        guard let channel = queued.channel else { return queued.note }
        switch queued.note {
        case .setpoint(let setpoint): joins[channel, default: TraceJoin()].hold(setpoint, now: now)
        case .command(let command): joins[channel, default: TraceJoin()].hold(command, now: now)
        case .telemetry, .event: return queued.note
        }
        return nil
    }

    /// Takes what the channels' ends have noted.
    mutating func gather(_ sources: [Int: @Sendable () -> [ChannelTrace]]) {
        for (channel, take) in sources {
            for part in take() { joins[channel, default: TraceJoin()].add(part) }
        }
    }

    /// What is complete, or has waited long enough.
    mutating func take(now: MonotonicTime, isLast: Bool) -> [FlightNote] {
        var out: [FlightNote] = []
        for channel in joins.keys.sorted() { out += joins[channel]?.take(now: now, isLast: isLast) ?? [] }
        return out
    }

    /// Whether nothing of a channel waits.
    func isSettled(_ channel: Int) -> Bool { joins[channel]?.isEmpty ?? true }
}
