internal import Synchronization
package import Threads

/// A thread that polls all its sockets and deadlines; everything it owns is used on that thread only.
///
/// Other threads submit closures. The objects on the thread are not `Sendable` and are reachable only through the
/// ``LoopCore`` that is passed to those closures, so the compiler rejects access from other threads.
package final class EventLoop: Sendable {
    private struct Mailbox {
        var tasks: [@Sendable (LoopCore) -> Void] = []
        var isClosed = false
    }

    private let mailbox = Mutex(Mailbox())
    private let wakeIsPending = Atomic(false)
    private let waker: Waker
    /// Runs tasks on the thread, between its events: what they wait for there is answered without a change of threads.
    package let executor: ThreadExecutor
    /// When the thread wakes without ``wake()``, nanoseconds since ``epoch``; `.max` for never and while it plans, `.min` while it is
    /// awake and will plan anew.
    private let wakesAt = Atomic<Int64>(.max)
    /// The earliest deadline that was announced since the thread asked all handlers for theirs, nanoseconds since ``epoch``.
    private let announced = Atomic<Int64>(.max)
    /// The origin of ``wakesAt``.
    private static let epoch = ContinuousClock.now

    package init() throws(SocketError) {
        let waker = try Waker()
        self.waker = waker
        executor = ThreadExecutor { waker.wake() }
    }

    /// Starts the thread, which retains this object until ``stop()``.
    package func start() throws(SocketError) {
        var watch = try DescriptorWatch()
        guard watch.add(waker.descriptor, for: .readable) == .watched else {
            throw SocketError(.systemFailure, "the system has no memory for a descriptor to wait for")
        }
        let hasStarted = DedicatedThread.start { [self, watch] in
            let core = LoopCore(loop: self, watch: watch)
            core.run()
        }
        guard hasStarted else {
            throw SocketError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// Queues a closure for the thread, in order of submission; `false` (and the closure never runs) when the loop has stopped.
    @discardableResult
    package func submit(_ task: @escaping @Sendable (LoopCore) -> Void) -> Bool {
        let taken = mailbox.withLock { mailbox in
            guard !mailbox.isClosed else { return false }
            mailbox.tasks.append(task)
            return true
        }
        if taken { wake() }
        return taken
    }

    /// Stops the thread after the closures submitted before.
    package func stop() { submit { $0.isStopping = true } }

    /// Wakes the thread, which then evaluates all handlers again.
    package func wake() {
        guard !wakeIsPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
        waker.wake()
    }

    /// Ensures that the thread wakes no later than `deadline`; cheap when an earlier wake-up is already planned.
    package func ensureAwake(at deadline: ContinuousClock.Instant) {
        let deadline = Self.nanoseconds(deadline)
        announced.min(deadline, ordering: .sequentiallyConsistent)
        if deadline < wakesAt.load(ordering: .sequentiallyConsistent) { wake() }
    }

    // MARK: For the thread

    func takeTasks(closing: Bool) -> [@Sendable (LoopCore) -> Void] {
        mailbox.withLock { mailbox in
            if closing { mailbox.isClosed = true }
            // Without this, each turn of the loop would allocate: the storage that is returned cannot be kept.
            guard !mailbox.tasks.isEmpty else { return [] }
            defer { mailbox.tasks.removeAll(keepingCapacity: true) }
            return mailbox.tasks
        }
    }

    func drainWake() {
        waker.clear()
        wakeIsPending.store(false, ordering: .sequentiallyConsistent)
    }

    /// Called when the thread has woken: a deadline added from here on is seen by the next plan.
    func isAwake() { wakesAt.store(.min, ordering: .sequentiallyConsistent) }

    /// Called before the deadlines are evaluated: a deadline added from here on wakes the thread.
    func willPlan() { wakesAt.store(.max, ordering: .sequentiallyConsistent) }

    /// Called before all handlers are asked for their deadlines, which are then known.
    func forgetAnnounced() { announced.store(.max, ordering: .sequentiallyConsistent) }

    /// The earliest deadline that was announced since then.
    var earliestAnnounced: ContinuousClock.Instant? {
        let nanoseconds = announced.load(ordering: .sequentiallyConsistent)
        return nanoseconds == .max ? nil : Self.epoch + .nanoseconds(nanoseconds)
    }

    func hasPlanned(_ next: ContinuousClock.Instant?) {
        if let next { wakesAt.store(Self.nanoseconds(next), ordering: .sequentiallyConsistent) }
    }

    private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = epoch.duration(to: instant).components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
    }
}
