internal import ROSMessages
internal import Synchronization
internal import SystemIO

/// A connection to a service: requests are sent on the caller's thread, responses arrive in order on the I/O thread.
///
/// ```
///  opening --header accepted--> open --a call timed out--> retired --no call waits--> closed
///     |                          |                                                      ^
///     +---- no provider, refused, unreachable ----------- broken connection ------------+
/// ```
/// A retired connection takes no new calls: the response to an abandoned call may still arrive on it and must not be matched
/// to another call. Requests that were sent are never resent.
final class ServiceLink: Sendable {
    /// Receives the result of a call; the reader is valid only within the completion, on the I/O thread.
    typealias Completion = @Sendable (Result<ROSReader, ROSError>) -> Void

    struct Call {
        let id: UInt64
        let deadline: ContinuousClock.Instant
        /// `nil` when the call was abandoned.
        var completion: Completion?
        /// The request until it is sent or queued for sending.
        var unsent: [UInt8]?
        /// Receives the progress of sending.
        var watcher: Watcher?
    }

    /// Receives the fraction of a request that the socket has accepted, from 0 to 1.
    typealias Watcher = @Sendable (Double) -> Void

    /// The range of a request in the outgoing bytes, and the receiver of its progress.
    struct Watched {
        let range: Range<Int>
        let watcher: Watcher
    }

    enum Phase {
        case opening
        case open(SocketHandle)
        case closed
    }

    struct State {
        var phase = Phase.opening
        var isRetired = false
        /// Why it could not be opened, which may be before its first call is made.
        var failure: ROSError?
        var calls: [Call] = []
        var nextExpiry: ContinuousClock.Instant?
        var openWaiters: [@Sendable (Result<Void, ROSError>) -> Void] = []
    }

    /// Bytes queued for the socket.
    struct Outgoing {
        var bytes: [UInt8] = []
        var sent = 0
        var watched: [Watched] = []

        /// Registers a receiver for the progress of the bytes that are appended next.
        mutating func watch(_ count: Int, _ watcher: Watcher?) {
            guard let watcher, count > 0 else { return }
            watched.append(Watched(range: bytes.count..<(bytes.count + count), watcher: watcher))
        }

        /// The progress notifications, to be called after the lock is released.
        var progressUpdates: [(Watcher, Double)] {
            watched.map {
                ($0.watcher, Double(min(max(sent - $0.range.lowerBound, 0), $0.range.count)) / Double($0.range.count))
            }
        }
    }

    /// Whether a call was accepted.
    enum Acceptance { case taken, needsNewLink, refused(ROSError) }

    /// Concurrent calls on one connection; a user, or a program at 1000 Hz, has a handful.
    private static let maximumCalls = 256

    private let isPersistent: Bool
    private let loop: EventLoop
    let state = Mutex(State())
    /// Held during a write, and always locked before ``state``, so that requests are sent in the order of ``State/calls``.
    /// The response may arrive before the writing thread continues; ``state`` is not locked then.
    let outgoing = Mutex(Outgoing())
    let isBacklogged = Atomic(false)

    init(isPersistent: Bool, loop: EventLoop) {
        self.isPersistent = isPersistent
        self.loop = loop
    }

    // MARK: Any thread

    var isUsable: Bool { state.withLock { Self.isUsable($0) } }

    var isOpen: Bool {
        state.withLock { state in
            if case .open = state.phase { !state.isRetired } else { false }
        }
    }

    private static func isUsable(_ state: State) -> Bool {
        if case .closed = state.phase { return false }
        return !state.isRetired
    }

    /// Sends a request now, or when the connection is open.
    func start(
        _ request: borrowing ROSWriter, id: UInt64, deadline: ContinuousClock.Instant, watcher: Watcher? = nil,
        completion: @escaping Completion
    ) -> Acceptance {
        var wakes = false
        defer { if wakes, let watcher { watcher(0) } }
        let acceptance = outgoing.withLock { outgoing -> Acceptance in
            let call = Call(id: id, deadline: deadline, completion: completion, watcher: watcher)
            let (verdict, socket) = state.withLock { note(call, request, &$0) }
            guard let socket else { return verdict }
            guard outgoing.bytes.isEmpty else {
                outgoing.watch(request.count, watcher)
                request.withBytes { outgoing.bytes.append(contentsOf: $0) }
                return .taken
            }
            switch request.withBytes({ socket.write($0) }) {
            case .moved(let count) where count == request.count: break
            case .moved(let count):
                outgoing.watch(request.count, watcher)
                outgoing.bytes = request.bytes
                outgoing.sent = count
                wakes = true
            case .wouldBlock:
                outgoing.watch(request.count, watcher)
                outgoing.bytes = request.bytes
                outgoing.sent = 0
                wakes = true
            case .ended, .failed:
                // Nothing of this request was sent; the I/O thread fails the other calls.
                return state.withLock { state in
                    state.isRetired = true
                    guard let index = state.calls.firstIndex(where: { $0.id == id }) else { return .taken }
                    state.calls.remove(at: index)
                    return .needsNewLink
                }
            }
            return .taken
        }
        if wakes {
            isBacklogged.store(true, ordering: .releasing)
            loop.wake()
        }
        if case .taken = acceptance { loop.ensureAwake(at: deadline) }
        return acceptance
    }

    /// Adds a call; returns the socket when its request is to be written now.
    private func note(
        _ call: consuming Call, _ request: borrowing ROSWriter, _ state: inout State
    ) -> (Acceptance, SocketHandle?) {
        if let failure = state.failure { return (.refused(failure), nil) }
        guard Self.isUsable(state) else { return (.needsNewLink, nil) }
        guard state.calls.count < Self.maximumCalls else {
            return (.refused(ROSError(.tooLarge, "already \(state.calls.count) calls in flight to this service")), nil)
        }
        var socket: SocketHandle?
        switch state.phase {
        case .closed: return (.needsNewLink, nil)
        case .opening: call.unsent = request.bytes
        case .open(let open): socket = open
        }
        state.calls.append(call)
        if !isPersistent { state.isRetired = true }
        return (.taken, socket)
    }

    /// Whether nothing of a call's request was sent.
    func holds(_ id: UInt64) -> Bool {
        state.withLock { state in state.calls.contains { $0.id == id && $0.unsent != nil } }
    }

    /// Ends a call of whose request nothing was sent.
    func takeBack(_ id: UInt64) {
        let completion = state.withLock { state -> Completion? in
            guard let index = state.calls.firstIndex(where: { $0.id == id && $0.unsent != nil }) else { return nil }
            return Self.abandon(index, &state)
        }
        completion?(.failure(ROSError(.refused, "the call was taken back before it was sent")))
    }

    /// Abandons a call; its completion receives the error, unless it was completed already.
    func abandon(_ id: UInt64, _ error: ROSError) {
        let completion = state.withLock { state -> Completion? in
            guard let index = state.calls.firstIndex(where: { $0.id == id }) else { return nil }
            return Self.abandon(index, &state)
        }
        completion?(.failure(error))
        loop.wake()
    }

    /// A call whose request was sent keeps its place in the order, without a completion.
    static func abandon(_ index: Int, _ state: inout State) -> Completion? {
        let completion = state.calls[index].completion
        if state.calls[index].unsent != nil {
            state.calls.remove(at: index)
        } else {
            state.calls[index].completion = nil
            state.isRetired = true
        }
        return completion
    }

    /// Calls `waiter` when the connection is open, or with the reason why it cannot be opened.
    func whenOpen(_ waiter: @escaping @Sendable (Result<Void, ROSError>) -> Void) {
        let now: Result<Void, ROSError>? = state.withLock { state in
            switch state.phase {
            case .open: return .success(())
            case .closed: return .failure(ROSError(.connectionLost, "the connection to the service was closed"))
            case .opening:
                state.openWaiters.append(waiter)
                return nil
            }
        }
        if let now { waiter(now) }
    }

    /// Takes no new calls and closes when those in flight are answered.
    func retire() {
        state.withLock { $0.isRetired = true }
        loop.wake()
    }
}
