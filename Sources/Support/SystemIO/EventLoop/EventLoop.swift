internal import Synchronization
internal import Threads

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
    /// When the thread wakes without ``wake()``, nanoseconds since ``epoch``; `.max` for never and while it plans, `.min` while it is
    /// awake and will plan anew.
    private let wakesAt = Atomic<Int64>(.max)
    /// The origin of ``wakesAt``.
    private static let epoch = ContinuousClock.now

    package init() throws(SocketError) { waker = try Waker() }

    /// Starts the thread, which retains this object until ``stop()``.
    package func start() throws(SocketError) {
        let hasStarted = DedicatedThread.start { [self] in
            let core = LoopCore(loop: self)
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
        if Self.nanoseconds(deadline) < wakesAt.load(ordering: .sequentiallyConsistent) { wake() }
    }

    // MARK: For the thread

    fileprivate func takeTasks(closing: Bool) -> [@Sendable (LoopCore) -> Void] {
        mailbox.withLock { mailbox in
            if closing { mailbox.isClosed = true }
            // Without this, each turn of the loop would allocate: the storage that is returned cannot be kept.
            guard !mailbox.tasks.isEmpty else { return [] }
            defer { mailbox.tasks.removeAll(keepingCapacity: true) }
            return mailbox.tasks
        }
    }

    fileprivate var wakeDescriptor: Int32 { waker.descriptor }

    fileprivate func drainWake() {
        waker.clear()
        wakeIsPending.store(false, ordering: .sequentiallyConsistent)
    }

    /// Called when the thread has woken: a deadline added from here on is seen by the next plan.
    fileprivate func isAwake() { wakesAt.store(.min, ordering: .sequentiallyConsistent) }

    /// Called before the deadlines are evaluated: a deadline added from here on wakes the thread.
    fileprivate func willPlan() { wakesAt.store(.max, ordering: .sequentiallyConsistent) }

    fileprivate func hasPlanned(_ next: ContinuousClock.Instant?) {
        if let next { wakesAt.store(Self.nanoseconds(next), ordering: .sequentiallyConsistent) }
    }

    private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = epoch.duration(to: instant).components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
    }
}

/// The state of an ``EventLoop``, reachable only on its thread.
package final class LoopCore {
    package let loop: EventLoop
    fileprivate(set) var isStopping = false
    /// The owner's object, used on the loop's thread only.
    package var attachment: AnyObject?
    /// Maps a destination (numeric IPv4 address and port) to the one to connect to; must not block.
    package var redirect: (@Sendable (_ host: String, _ port: UInt16) -> (host: String, port: UInt16))?
    /// Called when the loop has stopped and all handlers are closed.
    package var onStop: [@Sendable () -> Void] = []
    private var handlers: [any LoopHandler] = []
    private var poller = Poller()
    private var waitingHandlers: [any LoopHandler] = []
    private var lookups: [String: [(Result<IPv4Address, SocketError>) -> Void]] = [:]

    /// The read buffer shared by all handlers, since only one reads at a time. 64 KiB is the most that one read of the
    /// loopback returns.
    package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Concurrent host name lookups, each on a dedicated thread.
    private static let maximumLookups = 16

    fileprivate init(loop: EventLoop) { self.loop = loop }

    deinit { readBuffer.deallocate() }

    /// Adds a handler, which is served until it is finished.
    package func add(_ handler: any LoopHandler) { handlers.append(handler) }

    fileprivate func run() {
        while !isStopping {
            for task in loop.takeTasks(closing: false) { task(self) }
            handlers.removeAll { $0.isFinished }
            guard !isStopping else { break }
            loop.willPlan()
            let next = plan()
            loop.hasPlanned(next)
            poller.wait(until: next)
            loop.isAwake()
            if poller.isReady(0) { loop.drainWake() }
            for index in waitingHandlers.indices {
                let came = poller.readiness(index + 1)
                let handler = waitingHandlers[index]
                if !came.isEmpty, !handler.isFinished { handler.ready(came, on: self) }
            }
            waitingHandlers.removeAll(keepingCapacity: true)
            if let next, next <= .now { expire() }
        }
        // Closures submitted before the stop still run, and unfinished handlers are notified.
        for task in loop.takeTasks(closing: true) { task(self) }
        let rest = handlers
        handlers = []
        for handler in rest where !handler.isFinished { handler.loopWillStop(on: self) }
        for waiters in lookups.values {
            for waiter in waiters { waiter(.failure(SocketError(.closed, "the event loop has stopped"))) }
        }
        lookups = [:]
        attachment = nil
        waitingHandlers = []
        for call in onStop { call() }
    }

    /// Builds the list of descriptors to poll and returns the earliest deadline.
    private func plan() -> ContinuousClock.Instant? {
        var next: ContinuousClock.Instant?
        poller.reset()
        waitingHandlers.removeAll(keepingCapacity: true)
        poller.add(loop.wakeDescriptor)
        for handler in handlers where !handler.isFinished {
            if let deadline = handler.deadline { next = min(next ?? deadline, deadline) }
            let descriptor = handler.descriptor
            guard descriptor >= 0 else { continue }
            poller.add(descriptor, for: handler.interest)
            waitingHandlers.append(handler)
        }
        return next
    }

    private func expire() {
        let now = ContinuousClock.now
        for handler in handlers where !handler.isFinished {
            if let deadline = handler.deadline, deadline <= now { handler.deadlinePassed(on: self) }
        }
    }

    /// Begins to connect, through ``redirect`` when it is set.
    package func connect(to address: IPv4Address, port: UInt16) throws(SocketError) -> SocketHandle {
        guard let (host, port) = redirect?(address.description, port), let address = IPv4Address(host) else {
            return try SocketHandle.connect(to: address, port: port)
        }
        return try SocketHandle.connect(to: address, port: port)
    }

    // MARK: Host names

    /// Resolves a host without blocking the thread: numeric addresses at once, names on a dedicated thread.
    package func lookUp(_ host: String, _ completion: @escaping (Result<IPv4Address, SocketError>) -> Void) {
        if let address = IPv4Address(host) { return completion(.success(address)) }
        if lookups[host] != nil {
            lookups[host]?.append(completion)
            return
        }
        guard lookups.count < Self.maximumLookups else {
            return completion(.failure(SocketError(.systemFailure, "too many host names are being looked up at once")))
        }
        lookups[host] = [completion]
        let loop = loop
        let hasStarted = DedicatedThread.start {
            let result = IPv4Address.lookUp(host)
            loop.submit { core in
                for waiter in core.lookups.removeValue(forKey: host) ?? [] { waiter(result) }
            }
        }
        if !hasStarted {
            lookups[host] = nil
            completion(
                .failure(SocketError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")))
        }
    }
}
