internal import CompanionControl
internal import Synchronization
internal import UAVLink

/// The sign of life of the channel's thread: a turn whenever that thread comes round, and a word to whoever watches it.
///
/// ```
///   the channel's thread ──turn──▶ count ◀── ChannelWatchdog, a thread of its own that ends a process whose count stands
///                          ╰─────▶ beat, once a period: WATCHDOG=1 to the service manager, which does the same from outside
/// ```
/// Only that thread beats, so that no other can speak for one that hangs.
public final class ChannelPulse: Sendable {
    private let period: Duration
    private let beat: @Sendable () -> Void
    private let turns = Atomic<UInt64>(0)
    /// When the next beat is due, in nanoseconds of the clock; the channel's thread alone uses it.
    private let dueAt = Atomic<Int64>(.min)

    /// A pulse.
    ///
    /// - Parameter beat: called on the channel's thread once a period; it must not wait.
    public init(every period: Duration, beat: @escaping @Sendable () -> Void = {}) {
        self.period = period
        self.beat = beat
    }

    /// The pulse of a companion's channel: what a service manager hears, half its period apart as systemd advises.
    convenience init(for manager: ServiceManager?) {
        if let manager, let period = manager.watchdogPeriod {
            self.init(every: max(period / 2, Self.shortestPeriod)) { manager.tell(.watchdog) }
        } else {
            self.init(every: ChannelWatchdog.period / 2)
        }
    }

    /// A manager that wants to hear more often would keep the thread from its work.
    private static let shortestPeriod: Duration = .milliseconds(10)

    /// How often the thread has come round.
    var count: UInt64 { turns.load(ordering: .relaxed) }

    /// The thread has come round; when it has to at the latest again.
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
