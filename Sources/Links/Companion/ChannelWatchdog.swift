internal import Synchronization
internal import Threads
internal import UAVLink

/// Ends a process whose channel's thread hangs, where no service manager does: it would hold its locks and hand out tickets for
/// a channel that nobody serves, for ever.
///
/// It judges by turns, not by the clock alone: a thread of its own looks once a period whether the channel's thread has come round
/// since it last looked. A process that was stopped, or a machine that slept, has not looked meanwhile, and misses one turn at most.
final class ChannelWatchdog: Sendable {
    /// How often it looks. The channel's thread comes round twice in it at least.
    static let period: Duration = .seconds(1)
    /// How many times in a row it may find that nothing has moved. A vehicle under setpoints has been stopped by its own tracker
    /// ten times as early (0.5 s), so that this is about who can fly next; a busy disk or computer must not bring it about.
    static let patience = 5

    private let isOver = Atomic<Bool>(false)

    /// Begins to watch.
    ///
    /// - Parameter hangs: called once, on the watchdog's thread, when the channel's has not come round for so long.
    /// - Throws: ``LinkError`` when the system has no more threads to give.
    init(over pulse: ChannelPulse, clock: any MonotonicClock, hangs: @escaping @Sendable () -> Void) throws(LinkError) {
        // A clock that a test moves waits for whoever sleeps by it, so the thread is one that is counted.
        let hasStarted = OwnThread.startWork { [weak self] in
            var seen = pulse.count
            var misses = 0
            while misses < Self.patience {
                clock.block(until: clock.now + Self.period)
                guard let self, !isOver.load(ordering: .relaxed) else { return }
                let count = pulse.count
                misses = count == seen ? misses + 1 : 0
                seen = count
            }
            hangs()
        }
        guard hasStarted else {
            throw LinkError(.internalFault, "a thread could not be started", hint: "raise 'ulimit -u'")
        }
    }

    /// Looks no more.
    func stop() { isOver.store(true, ordering: .relaxed) }
}
