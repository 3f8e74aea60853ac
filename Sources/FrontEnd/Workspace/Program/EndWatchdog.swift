internal import Synchronization
internal import Threads
internal import UAVLink

/// Ends the program by force if it does not end by itself soon after it was asked to, or after its terminal was closed: nobody sees what
/// it does then. Control authority, if it could not be released, ends with the companion's lease.
///
/// It has a thread of its own, since what hangs may be the main actor.
final class EndWatchdog: Sendable {
    /// How long an orderly end may take. Over SSH a hover and the log-out take two seconds.
    static let limit: Duration = .seconds(8)
    /// How long the terminal may take to be restored before the program is ended.
    static let restoring: Duration = .milliseconds(200)

    private let clock: any MonotonicClock
    private let terminal: any ScreenTerminal
    private let force: (@Sendable () -> Void)?
    private let hasBegun = Atomic(false)
    private let hasEnded = Atomic(false)

    /// - Parameter force: ends the program; `nil`: it has all the time.
    init(clock: any MonotonicClock, terminal: any ScreenTerminal, force: (@Sendable () -> Void)?) {
        (self.clock, self.terminal, self.force) = (clock, terminal, force)
    }

    /// The program was asked to end. Safe to call again, from any thread: the time counts from the first call.
    func begin() {
        guard let force, !hasBegun.exchange(true, ordering: .relaxed) else { return }
        let deadline = clock.now + Self.limit
        _ = DedicatedThread.startWork { [self] in
            clock.block(until: deadline)
            guard !hasEnded.load(ordering: .acquiring) else { return }
            // Writing to the terminal may be what hangs.
            _ = DedicatedThread.startWork { [terminal] in terminal.leave() }
            clock.block(until: deadline + Self.restoring)
            if !hasEnded.load(ordering: .acquiring) { force() }
        }
    }

    /// The program has ended in an orderly way.
    func end() { hasEnded.store(true, ordering: .releasing) }
}
