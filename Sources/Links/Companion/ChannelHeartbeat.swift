internal import CompanionControl
internal import Synchronization
internal import UAVLink

/// Heartbeat of the channel thread: counts its iterations, and notifies a watchdog once per period.
///
/// ```
///   channel thread ──turn──▶ count ◀── ChannelWatchdog: a dedicated thread that ends the process when the count stops
///                     ╰────▶ beat, once per period: WATCHDOG=1 to the service manager, which does the same
/// ```
/// Only the channel thread beats, so that no other thread can hide that it hangs.
public final class ChannelHeartbeat: Sendable {
    private let period: Duration
    private let beat: @Sendable () -> Void
    private let turns = Atomic<UInt64>(0)
    /// When the next beat is due, in nanoseconds of the clock; used by the channel thread only.
    private let dueAt = Atomic<Int64>(.min)

    /// Creates a pulse.
    ///
    /// - Parameter beat: called on the channel thread once per period; it must not block.
    public init(every period: Duration, beat: @escaping @Sendable () -> Void = {}) {
        self.period = period
        self.beat = beat
    }

    /// The pulse of a companion's channel: at half the service manager's watchdog period, as systemd advises.
    convenience init(for manager: ServiceManager?) {
        if let manager, let period = manager.watchdogPeriod {
            self.init(every: max(period / 2, Self.shortestPeriod)) { manager.tell(.watchdog) }
        } else {
            self.init(every: ChannelWatchdog.period / 2)
        }
    }

    /// Lower bound of the period, so that beats do not load the channel thread.
    private static let shortestPeriod: Duration = .milliseconds(10)

    /// Number of iterations.
    var count: UInt64 { turns.load(ordering: .relaxed) }

    /// Counts an iteration; returns when the next one is due at the latest.
    func turn(at now: MonotonicTime) -> MonotonicTime {
        turns.add(1, ordering: .relaxed)
        let due = MonotonicTime(nanoseconds: dueAt.load(ordering: .relaxed))
        guard now >= due else { return due }
        beat()
        let next = now + period
        dueAt.store(next.nanoseconds, ordering: .relaxed)
        return next
    }
}
