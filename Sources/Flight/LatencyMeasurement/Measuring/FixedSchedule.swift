#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// Instants at a fixed period. A delay at one of them does not move the others.
struct FixedSchedule: Sendable {
    var start: MonotonicTime
    var period: Duration
    var count: Int
    /// The number of the first instant, so that numbers continue from one schedule to the next.
    var first = 0

    func due(_ index: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: start.nanoseconds &+ period.nanoseconds &* Int64(index))
    }

    var end: MonotonicTime { due(count) }
}

/// Waits for an instant on a thread that may block; tests supply their own.
protocol InstantWaiting: Sendable {
    func wait(until instant: MonotonicTime)
}

/// Sleeps until shortly before the instant and busy-waits for the rest: a sleeping thread wakes about 60 us late, which is
/// as long as a setpoint over UDP takes.
struct PreciseWait: InstantWaiting {
    var clock: any MonotonicClock = SystemMonotonicClock()

    /// How long before the instant busy-waiting begins; at 100 Hz this is 2 % of a processor.
    static let early: Duration = .microseconds(200)

    func wait(until instant: MonotonicTime) {
        while true {
            let left = (instant - clock.now - Self.early).nanoseconds
            guard left > 0 else { break }
            var pause = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            nanosleep(&pause, nil)
        }
        while clock.now < instant {}
    }
}
