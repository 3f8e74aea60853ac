#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The clock of a schedule, and how its waiting is done; tests supply their own.
package protocol PaceClock: Sendable {
    /// Nanoseconds, CLOCK_MONOTONIC.
    var now: Int64 { get }
    /// Waits until that instant; it may return too early.
    func sleep(until nanoseconds: Int64) async throws
}

/// Blocks the thread, as every peer does: for threads of our own only.
package struct ThreadClock: PaceClock {
    package init() {}

    package var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    package func sleep(until nanoseconds: Int64) async throws { block(until: nanoseconds) }

    /// Blocks the thread.
    package func block(until nanoseconds: Int64) {
        #if canImport(Glibc)
            var at = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nil) == EINTR {}
        #else
            while case let left = nanoseconds - now, left > 0 {
                var pause = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
                nanosleep(&pause, nil)
            }
        #endif
    }
}

/// Waits as a task does, on Swift's own timers.
package struct TaskClock: PaceClock {
    package init() {}

    package var now: Int64 { ThreadClock().now }

    package func sleep(until nanoseconds: Int64) async throws {
        try await Task.sleep(for: .nanoseconds(max(0, nanoseconds - now)))
    }
}

/// Waits as a task does until shortly before the instant, and then with the thread asleep: a link's thread reads what comes
/// meanwhile, and is woken by the same timer as a peer.
package struct LinkThreadClock: PaceClock {
    /// Nanoseconds. Swift's timers are up to a millisecond late, and more with a load.
    private static let early: Int64 = 3_000_000

    package init() {}

    package var now: Int64 { ThreadClock().now }

    package func sleep(until nanoseconds: Int64) async throws {
        if nanoseconds - now > Self.early { try await TaskClock().sleep(until: nanoseconds - Self.early) }
        ThreadClock().block(until: nanoseconds)
    }
}

/// The schedule that every contender keeps: `Peers/pace.h` in C, `Peers/pace.py` in Python, and this.
///
/// A latency counts from the instant for which the operation was intended, whether the timer was late or the operation before had
/// not ended; how late it began is noted beside it. Without a period operations are back to back: each counts from its call, and
/// none is late.
package enum Pace {
    /// CLOCK_MONOTONIC, the clock of every peer.
    package static var now: Int64 { ThreadClock().now }

    /// From the order to run until the first instant, nanoseconds.
    package static let lead: Int64 = 1_000_000

    /// Runs an operation on a fixed schedule, or back to back without a period.
    ///
    /// - Parameter start: the first instant, on CLOCK_MONOTONIC; `nil` for ``lead`` from now.
    package static func run(
        _ count: Int, every period: Duration = .zero, from start: Int64? = nil, on clock: some PaceClock = TaskClock(),
        _ operation: () async throws -> Void
    ) async throws -> Timings {
        let period = period.wholeNanoseconds
        var timings = Timings()
        timings.latencies.reserveCapacity(count)
        if period > 0 { timings.lateness.reserveCapacity(count) }
        var intended = start ?? clock.now + lead
        for _ in 0..<count {
            if period > 0 { while clock.now < intended { try await clock.sleep(until: intended) } }
            let called = clock.now
            try await operation()
            timings.latencies.append(clock.now - (period > 0 ? intended : called))
            if period > 0 { timings.lateness.append(called - intended) }
            intended += period
        }
        return timings
    }
}

extension Duration {
    /// In nanoseconds; the durations here are far below the 292 years that fit.
    package var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
