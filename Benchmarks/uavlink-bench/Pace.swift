import Glibc

/// The schedule that every contender keeps, as `Peers/pace.h` says it.
enum Pace {
    /// CLOCK_MONOTONIC, the clock of every peer.
    static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// Blocks the thread: for threads of our own only.
    static func block(until nanoseconds: Int64) {
        var at = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nil) == EINTR {}
    }

    /// Runs an operation on a fixed schedule, or back to back without a period.
    ///
    /// - Parameter blocking: whether the thread sleeps between two, as a peer's does; for threads of our own only.
    static func run(
        _ count: Int, every period: Duration = .zero, blocking: Bool = false, _ operation: () async throws -> Void
    ) async throws -> [Int64] {
        let period = period.wholeNanoseconds
        var latencies: [Int64] = []
        latencies.reserveCapacity(count)
        var intended = now + 1_000_000
        var ended: Int64 = 0
        for _ in 0..<count {
            if period > 0, intended > now {
                if blocking { block(until: intended) } else { try await Task.sleep(for: .nanoseconds(intended - now)) }
            }
            var began = now
            if period > 0, ended > intended { began = intended }
            try await operation()
            ended = now
            latencies.append(ended - began)
            intended += period
        }
        return latencies
    }
}

extension Duration {
    /// In nanoseconds; the durations here are far below the 292 years that fit.
    var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
