internal import UAVLink

/// Schedules the control status frames of one ground, each after one with the number of stops.
struct ControlStatusSchedule {
    private var status: ControlStatus?
    private var stops: UInt64 = 0
    /// The number of stops of the turn that is due was sent.
    private var hasSentStops = false
    private var next = MonotonicTime(nanoseconds: 0)
    private var remindedAt: MonotonicTime?

    /// Sets the status; a change is sent at once.
    mutating func tell(_ status: ControlStatus, stops: UInt64) {
        guard status != self.status || stops != self.stops else { return }
        self.status = status
        self.stops = stops
        hasSentStops = false
        next = MonotonicTime(nanoseconds: 0)
    }

    /// The ground's setpoints are refused: sends the status at once, but not for each setpoint.
    mutating func remind(now: MonotonicTime) {
        if let remindedAt, now - remindedAt < ChannelTimes.controlReminder { return }
        remindedAt = now
        next = now
    }

    /// When the status is sent next; `nil` when there is none.
    var nextDeadline: MonotonicTime? { status == nil ? nil : next }

    /// Seals the frame that is due and returns its length; 0 when none is due.
    mutating func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, cipher: FrameCipher
    ) -> Int {
        guard let status, next <= now else { return 0 }
        if !hasSentStops {
            hasSentStops = true
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.stops)
                writer.put(stops)
            }
        }
        hasSentStops = false
        next = now + ChannelTimes.control
        return cipher.seal(into: buffer) { ControlCoding.write(status, sent: now, &$0) }
    }
}
