import UAVLink

/// A clock that the world moves, with an error of its own.
final class WorldClock: MonotonicClock, @unchecked Sendable {
    // In nanoseconds: `Duration` counts attoseconds in 128 bits, and this is asked several times a step.
    private var true0: Int64 = 0
    private var shown0: Int64
    /// How fast it goes: 1.1 gains a tenth.
    private var rate = 1.0
    private(set) var now: MonotonicTime
    /// When it last jumped.
    private(set) var steppedAt = MonotonicTime.atOnce

    init(start: MonotonicTime) {
        shown0 = start.nanoseconds
        now = start
    }

    func shown(at time: MonotonicTime) -> MonotonicTime {
        MonotonicTime(nanoseconds: shown0 + Int64(Double(time.nanoseconds - true0) * rate))
    }

    /// When it will show that.
    func trueTime(of shown: MonotonicTime) -> MonotonicTime {
        guard shown.nanoseconds < .max / 2 else { return .never }
        return MonotonicTime(
            nanoseconds: true0 + Int64((Double(shown.nanoseconds - shown0) / rate).rounded(.up)))
    }

    func move(to time: MonotonicTime) { now = shown(at: time) }

    /// From that instant on it goes faster or slower.
    func slew(_ rate: Double, at time: MonotonicTime) {
        move(to: time)
        shown0 = now.nanoseconds
        true0 = time.nanoseconds
        self.rate = rate
    }

    /// It jumps at that instant.
    func step(by duration: Duration, at time: MonotonicTime) {
        shown0 += duration.nanoseconds
        steppedAt = time
        move(to: time)
    }

    func sleep(until deadline: MonotonicTime) async throws(CancellationError) {}
    func block(until deadline: MonotonicTime) {}
}

extension MonotonicTime {
    static let never = MonotonicTime(nanoseconds: .max)
    static let atOnce = MonotonicTime(nanoseconds: 0)
}
