internal import UAVLink

/// When a ground is told who flies.
struct ControlNews {
    private var status: ControlStatus?
    private var next = MonotonicTime(nanoseconds: 0)
    private var remindedAt: MonotonicTime?

    /// It changed, or is to be told for the first time.
    mutating func tell(_ status: ControlStatus) {
        guard status != self.status else { return }
        self.status = status
        next = MonotonicTime(nanoseconds: 0)
    }

    /// The session is open: the ground knows nothing yet.
    mutating func begin() { next = MonotonicTime(nanoseconds: 0) }

    /// The ground steers and moves nothing: it is told at once, though not for each of its setpoints.
    mutating func remind(now: MonotonicTime) {
        if let remindedAt, now - remindedAt < ChannelTimes.controlReminder { return }
        remindedAt = now
        next = now
    }

    /// When it is told again; `nil` when there is nothing to tell.
    var nextDeadline: MonotonicTime? { status == nil ? nil : next }

    /// The frame that is due, sealed; 0 when none is.
    mutating func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, cipher: FrameCipher
    ) -> Int {
        guard let status, next <= now else { return 0 }
        next = now + ChannelTimes.control
        return cipher.seal(into: buffer) { ControlCoding.write(status, sent: now, &$0) }
    }
}
