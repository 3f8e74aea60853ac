import BenchmarkKit
import CBenchmarkPace
import Synchronization

/// A schedule, how late its timers are, and how long its operations take: the same for each implementation.
struct ScriptedPace: Sendable, CustomStringConvertible {
    var name: String
    var period: Int64
    /// 0 for a millisecond after the clock's beginning.
    var start: Int64 = 0
    var now: Int64 = 5_000_000
    /// How long after its instant each sleep ends; negative for one that ends too early.
    var wakes: [Int64]
    var durations: [Int64]
    var latencies: [Int64]
    var lateness: [Int64]

    var description: String { name }

    static let all = [
        Self(
            name: "a timer that is late is in the latency", period: 1_000_000, wakes: [0, 70_000, 120_000],
            durations: [30_000, 30_000, 40_000], latencies: [30_000, 100_000, 160_000], lateness: [0, 70_000, 120_000]),
        Self(
            name: "a stall counts against all that it delayed", period: 1_000_000, start: 7_000_000,
            wakes: [10_000, 0, 0, 0], durations: [2_500_000, 100_000, 100_000, 100_000],
            latencies: [2_510_000, 1_610_000, 710_000, 100_000], lateness: [10_000, 1_510_000, 610_000, 0]),
        Self(
            name: "who wakes too early sleeps again", period: 1_000_000, wakes: [-200_000, 20_000],
            durations: [10_000, 10_000], latencies: [30_000, 10_000], lateness: [20_000, 0]),
        Self(
            name: "the first instant has passed already", period: 2_000_000, start: 4_000_000, wakes: [0, 0],
            durations: [100_000, 100_000], latencies: [1_100_000, 100_000], lateness: [1_000_000, 0]),
        Self(
            name: "back to back each counts from its call", period: 0, wakes: [0, 0, 0],
            durations: [40_000, 5_000_000, 20_000], latencies: [40_000, 5_000_000, 20_000], lateness: []),
    ]

    /// What `Pace` makes of it.
    func inSwift() async throws -> Timings {
        let clock = Clock(self)
        return try await Pace.run(
            durations.count, every: .nanoseconds(period), from: start == 0 ? nil : start, on: clock
        ) { clock.operate() }
    }

    /// What `pace.h` makes of it.
    func inC() -> Timings {
        var (latencies, late) = (durations, durations)
        benchmark_pace(durations.count, period, start, now, wakes, durations, &latencies, &late)
        return Timings(latencies: latencies, lateness: period > 0 ? late : [])
    }

    /// For `pace_peer.py`.
    var json: String {
        "{\"count\": \(durations.count), \"period\": \(period), \"start\": \(start), \"now\": \(now), "
            + "\"wakes\": \(wakes), \"durations\": \(durations)}"
    }

    private final class Clock: PaceClock {
        private let state: Mutex<(now: Int64, wakes: ArraySlice<Int64>, durations: ArraySlice<Int64>)>

        init(_ script: ScriptedPace) { state = Mutex((script.now, script.wakes[...], script.durations[...])) }

        var now: Int64 { state.withLock { $0.now } }
        func sleep(until nanoseconds: Int64) async throws {
            state.withLock { $0.now = nanoseconds + ($0.wakes.popFirst() ?? 0) }
        }
        func operate() { state.withLock { $0.now += $0.durations.popFirst() ?? 0 } }
    }
}
