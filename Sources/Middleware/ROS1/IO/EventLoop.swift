internal import Synchronization
internal import Threads

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// One thread that waits for all sockets and deadlines of a node; whatever it owns lives on that thread alone.
///
/// Other threads hand it closures. What lives on the thread is not `Sendable`, and the only key to it is the
/// ``LoopCore`` that those closures are given, so the compiler keeps other threads out.
final class EventLoop: Sendable {
    private struct Mailbox {
        var tasks: [@Sendable (LoopCore) -> Void] = []
        var isClosed = false
    }

    private let mailbox = Mutex(Mailbox())
    private let wakeIsPending = Atomic(false)
    private let wakeReader: Int32
    private let wakeWriter: Int32
    /// When the thread wakes by itself, nanoseconds on ``clock``; `.max` also while it is awake.
    private let wakesAt = Atomic<Int64>(.max)
    private let threadID = Atomic<UInt>(0)
    /// What deadlines are measured on.
    private static let epoch = ContinuousClock.now

    init() throws(ROSError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ROSError(.systemFailure, "no pipe: \(SocketHandle.reason(errno))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeReader = ends[0]
        wakeWriter = ends[1]
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    /// Starts the thread; it holds this object until ``stop()``.
    func start() throws(ROSError) {
        let hasStarted = OwnThread.start { [self] in
            threadID.store(Self.currentThread, ordering: .releasing)
            let core = LoopCore(loop: self)
            core.run()
        }
        guard hasStarted else {
            throw ROSError(.systemFailure, "a thread could not be started", hint: "raise 'ulimit -u'")
        }
    }

    /// Whether the caller runs on this loop's thread, where waiting would wait for itself.
    var isCurrent: Bool { threadID.load(ordering: .acquiring) == Self.currentThread }

    private static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Runs a closure on the thread, soon and in order; `false` (and never run) when the loop has stopped.
    @discardableResult
    func submit(_ task: @escaping @Sendable (LoopCore) -> Void) -> Bool {
        let taken = mailbox.withLock { mailbox in
            guard !mailbox.isClosed else { return false }
            mailbox.tasks.append(task)
            return true
        }
        if taken { wake() }
        return taken
    }

    /// Ends the thread after what was submitted before.
    func stop() { submit { $0.isStopping = true } }

    /// Makes the thread look at everything again.
    func wake() {
        guard !wakeIsPending.exchange(true, ordering: .sequentiallyConsistent) else { return }
        var byte: UInt8 = 1
        _ = write(wakeWriter, &byte, 1)
    }

    /// Makes sure that the thread is awake at `deadline`; mostly it is going to be anyway, and this costs nothing.
    func beAwake(at deadline: ContinuousClock.Instant) {
        if Self.nanoseconds(deadline) < wakesAt.load(ordering: .sequentiallyConsistent) { wake() }
    }

    // MARK: For the thread

    fileprivate func takeTasks(closing: Bool) -> [@Sendable (LoopCore) -> Void] {
        mailbox.withLock { mailbox in
            if closing { mailbox.isClosed = true }
            defer { mailbox.tasks.removeAll(keepingCapacity: true) }
            return mailbox.tasks
        }
    }

    fileprivate var wakeDescriptor: Int32 { wakeReader }

    fileprivate func drainWake() {
        var bytes: UInt64 = 0
        while read(wakeReader, &bytes, 8) > 0 {}
        wakeIsPending.store(false, ordering: .sequentiallyConsistent)
    }

    /// Before the deadlines are looked at; whoever adds one from here on wakes the thread.
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

/// What a handler waits for, or what has come.
struct Readiness: OptionSet {
    let rawValue: Int16
    static let readable = Readiness(rawValue: Int16(POLLIN))
    static let writable = Readiness(rawValue: Int16(POLLOUT))
    static let broken = Readiness(rawValue: Int16(POLLERR) | Int16(POLLHUP) | Int16(POLLNVAL))
}

/// A socket, a deadline or both, looked after by an ``EventLoop``.
protocol LoopHandler: AnyObject {
    /// The socket; -1 for none.
    var descriptor: Int32 { get }
    /// What to wait for at the socket.
    var interest: Readiness { get }
    /// When ``deadlinePassed(on:)`` is due.
    var deadline: ContinuousClock.Instant? { get }
    /// `true` once it needs no more looking after.
    var isFinished: Bool { get }
    /// The socket is ready.
    func ready(_ readiness: Readiness, on loop: LoopCore)
    /// The deadline has passed.
    func deadlinePassed(on loop: LoopCore)
    /// The loop stops with this handler unfinished.
    func loopStops(on loop: LoopCore)
}

/// The inside of an ``EventLoop``, reachable only on its thread.
final class LoopCore {
    let loop: EventLoop
    fileprivate(set) var isStopping = false
    /// What the loop was made for; it lives on the loop's thread like everything else.
    var attachment: AnyObject?
    /// The way around that connections take.
    var detour: ROSDetour?
    /// Called when the loop has ended and everything on it is closed.
    var onStop: [@Sendable () -> Void] = []
    private var handlers: [any LoopHandler] = []
    private var waiting: [pollfd] = []
    private var waitingHandlers: [any LoopHandler] = []
    private var lookups: [String: [(Result<IPv4Address, ROSError>) -> Void]] = [:]

    /// Where handlers read to: one buffer for all, since only one reads at a time. 64 KiB is what one loopback read
    /// brings at most.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Host names looked up at once, each on a thread of its own.
    private static let maximumLookups = 16

    fileprivate init(loop: EventLoop) { self.loop = loop }

    deinit { readBuffer.deallocate() }

    /// Looks after a handler from now on.
    func add(_ handler: any LoopHandler) { handlers.append(handler) }

    fileprivate func run() {
        while !isStopping {
            for task in loop.takeTasks(closing: false) { task(self) }
            handlers.removeAll { $0.isFinished }
            guard !isStopping else { break }
            loop.willPlan()
            let next = plan()
            loop.hasPlanned(next)
            waiting.withUnsafeMutableBufferPointer { buffer in
                _ = poll(buffer.baseAddress, nfds_t(buffer.count), Self.pollTimeout(until: next))
            }
            loop.willPlan()
            if waiting[0].revents != 0 { loop.drainWake() }
            for index in waitingHandlers.indices {
                let came = Readiness(rawValue: waiting[index + 1].revents)
                let handler = waitingHandlers[index]
                if !came.isEmpty, !handler.isFinished { handler.ready(came, on: self) }
            }
            waitingHandlers.removeAll(keepingCapacity: true)
            if let next, next <= .now { expire() }
        }
        // What was submitted before the end still runs, and everything unfinished is told.
        for task in loop.takeTasks(closing: true) { task(self) }
        let rest = handlers
        handlers = []
        for handler in rest where !handler.isFinished { handler.loopStops(on: self) }
        for waiters in lookups.values {
            for waiter in waiters { waiter(.failure(ROSError(.closed, "the node was shut down"))) }
        }
        lookups = [:]
        attachment = nil
        waitingHandlers = []
        for call in onStop { call() }
    }

    /// Lists what to wait for and returns the earliest deadline.
    private func plan() -> ContinuousClock.Instant? {
        var next: ContinuousClock.Instant?
        waiting.removeAll(keepingCapacity: true)
        waitingHandlers.removeAll(keepingCapacity: true)
        waiting.append(pollfd(fd: loop.wakeDescriptor, events: Int16(POLLIN), revents: 0))
        for handler in handlers where !handler.isFinished {
            if let deadline = handler.deadline { next = min(next ?? deadline, deadline) }
            let descriptor = handler.descriptor
            guard descriptor >= 0 else { continue }
            waiting.append(pollfd(fd: descriptor, events: handler.interest.rawValue, revents: 0))
            waitingHandlers.append(handler)
        }
        return next
    }

    private static func pollTimeout(until next: ContinuousClock.Instant?) -> Int32 {
        guard let next else { return -1 }
        let left = ContinuousClock.now.duration(to: next)
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = min(left, .seconds(3600)).components
        // Rounded up: a millisecond too early would only mean going round once more.
        return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private func expire() {
        let now = ContinuousClock.now
        for handler in handlers where !handler.isFinished {
            if let deadline = handler.deadline, deadline <= now { handler.deadlinePassed(on: self) }
        }
    }

    /// Begins to connect, by the way around when there is one.
    func connect(to address: IPv4Address, port: UInt16) throws(ROSError) -> SocketHandle {
        guard let (host, port) = detour?.dial(address.description, port), let address = IPv4Address(host) else {
            return try SocketHandle.connect(to: address, port: port)
        }
        return try SocketHandle.connect(to: address, port: port)
    }

    // MARK: Host names

    /// Finds a host's address without stopping the thread: numbers at once, names on a thread of their own.
    func lookUp(_ host: String, _ completion: @escaping (Result<IPv4Address, ROSError>) -> Void) {
        if let address = IPv4Address(host) { return completion(.success(address)) }
        if lookups[host] != nil {
            lookups[host]?.append(completion)
            return
        }
        guard lookups.count < Self.maximumLookups else {
            return completion(.failure(ROSError(.systemFailure, "too many host names are being looked up at once")))
        }
        lookups[host] = [completion]
        let loop = loop
        let hasStarted = OwnThread.start {
            let result = IPv4Address.lookUp(host)
            loop.submit { core in
                for waiter in core.lookups.removeValue(forKey: host) ?? [] { waiter(result) }
            }
        }
        if !hasStarted {
            lookups[host] = nil
            completion(.failure(ROSError(.systemFailure, "a thread could not be started", hint: "raise 'ulimit -u'")))
        }
    }
}

/// A deadline that calls back, by itself or again and again.
final class LoopTimer: LoopHandler {
    let descriptor: Int32 = -1
    let interest: Readiness = []
    private(set) var deadline: ContinuousClock.Instant?
    private(set) var isFinished = false
    private let fire: (LoopTimer, LoopCore) -> Void

    init(_ fire: @escaping (LoopTimer, LoopCore) -> Void) { self.fire = fire }

    /// Sets the next time; `nil` for none.
    func set(_ deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    /// Never again.
    func finish() { isFinished = true }

    func ready(_ readiness: Readiness, on loop: LoopCore) {}

    func deadlinePassed(on loop: LoopCore) {
        deadline = nil
        fire(self, loop)
    }

    func loopStops(on loop: LoopCore) {}
}
