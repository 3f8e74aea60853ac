internal import Synchronization
internal import Threads
internal import UAVLink

/// Ends a process whose channel thread hangs, if no service manager does: it would hold its locks and issue tickets for a
/// channel that is not served, forever.
///
/// It does not rely on the clock alone: a dedicated thread checks once per period whether the channel thread has iterated
/// since the last check. A process that was stopped, or a machine that slept, has not checked meanwhile, and misses one
/// iteration at most.
final class ChannelWatchdog: Sendable {
    /// Period of the checks; the channel thread iterates at least twice in it.
    static let period: Duration = .seconds(1)
    /// Number of consecutive checks without an iteration after which the process is ended. A vehicle under setpoints was
    /// stopped by its own tracker ten times earlier (0.5 s), so this only affects who can fly next; a busy disk or computer
    /// must not trigger it.
    static let maximumMisses = 5

    private let isOver = Atomic<Bool>(false)

    /// Starts the watchdog.
    ///
    /// - Parameter hangs: called once, on the watchdog's thread, when the channel thread hangs.
    /// - Throws: ``LinkError`` if no thread can be started.
    init(over pulse: ChannelHeartbeat, clock: any MonotonicClock, hangs: @escaping @Sendable () -> Void)
        throws(LinkError)
    {
        // A test clock waits for all that sleep by it, so this thread must be a counted one.
        let hasStarted = DedicatedThread.startWork { [weak self] in
            var seen = pulse.count
            var misses = 0
            while misses < Self.maximumMisses {
                clock.block(until: clock.now + Self.period)
                guard let self, !isOver.load(ordering: .relaxed) else { return }
                let count = pulse.count
                misses = count == seen ? misses + 1 : 0
                seen = count
            }
            hangs()
        }
        guard hasStarted else {
            throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// Ends the checks.
    func stop() { isOver.store(true, ordering: .relaxed) }
}
