package import UAVLink

/// What a companion records for a ground that traces its session.
extension VehicleSession {
    /// Whether the ground has requested a trace.
    package var isTraced: Bool { parts?.isTraced ?? false }

    /// Whether it watches other nodes' velocity references, wants to know when the companion's own subscriber has read its setpoints,
    /// and wants the kernel's receipts of frames.
    package var watchesSetpoints: Bool { parts?.watchesSetpoints ?? false }
    package var watchesOwn: Bool { parts?.watchesOwn ?? false }
    package var stampsReceipts: Bool { parts?.stampsReceipts ?? false }
    /// The number of the setpoint that was judged last.
    package var judgedSetpoint: UInt64 { parts?.steering.judged ?? 0 }

    /// Records the times of the newest setpoint.
    package func note(
        _ fate: TraceRecord.Fate, receivedAt: MonotonicTime, handedAt: MonotonicTime, leftAt: MonotonicTime
    ) { parts?.note(fate, receivedAt: receivedAt, handedAt: handedAt, leftAt: leftAt) }

    /// Adds another trace record.
    package func note(_ record: TraceRecord) { parts?.note(record) }
}
