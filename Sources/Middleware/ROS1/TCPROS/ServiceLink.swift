internal import Synchronization

/// One connection to a service: calls go out on the caller's thread, answers come in order on the I/O thread.
///
/// ```
///  opening --header accepted--> open --a call ran out of time--> retired --nobody waits--> closed
///     |                          |                                                           ^
///     +---- no provider, refused, unreachable ----------- broken connection -----------------+
/// ```
/// A retired connection takes no new calls: an answer to the call that was given up may still come on it, and must
/// never be taken for another's. Requests that have left are never sent again.
final class ServiceLink: Sendable {
    /// What a call came to; the reader is only good within the completion, on the I/O thread.
    typealias Completion = @Sendable (Result<ROSReader, ROSError>) -> Void

    private struct Call {
        let id: UInt64
        let deadline: ContinuousClock.Instant
        /// `nil` when nobody waits any more.
        var completion: Completion?
        /// The request while it has not left.
        var unsent: [UInt8]?
        /// Who is told how much of it has left.
        var watcher: Watcher?
    }

    /// Told how much of a request the socket has taken, from 0 to 1.
    typealias Watcher = @Sendable (Double) -> Void

    /// A request among what waits to be written, and who watches it leave.
    private struct Watched {
        let range: Range<Int>
        let watcher: Watcher
    }

    private enum Phase {
        case opening
        case open(SocketHandle)
        case closed
    }

    private struct State {
        var phase = Phase.opening
        var isRetired = false
        var calls: [Call] = []
        var openWaiters: [@Sendable (Result<Void, ROSError>) -> Void] = []
    }

    /// What the socket has not taken yet.
    private struct Outgoing {
        var bytes: [UInt8] = []
        var sent = 0
        var watched: [Watched] = []

        /// Notes who watches the bytes that are about to be appended.
        mutating func watch(_ count: Int, _ watcher: Watcher?) {
            guard let watcher, count > 0 else { return }
            watched.append(Watched(range: bytes.count..<(bytes.count + count), watcher: watcher))
        }

        /// To be called once the lock is free.
        var news: [(Watcher, Double)] {
            watched.map {
                ($0.watcher, Double(min(max(sent - $0.range.lowerBound, 0), $0.range.count)) / Double($0.range.count))
            }
        }
    }

    /// Whether a call was taken.
    enum Acceptance { case taken, needsNewLink, refused(ROSError) }

    /// Calls on their way at once on one connection; a person or a program at 1000 Hz has a handful.
    private static let maximumCalls = 256

    private let isPersistent: Bool
    private let loop: EventLoop
    private let state = Mutex(State())
    /// Held while something is written, and always taken before ``state``: calls leave in the order in which they were noted.
    /// Writing wakes the other end, whose answer may come before the writer goes on; it finds ``state`` free.
    private let outgoing = Mutex(Outgoing())
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

    /// Sends a request now, or as soon as the connection is open.
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
                // Nothing of this request has left; the I/O thread sees to the others.
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
        if case .taken = acceptance { loop.beAwake(at: deadline) }
        return acceptance
    }

    /// Notes a call; gives the socket when its request is to be written now.
    private func note(
        _ call: consuming Call, _ request: borrowing ROSWriter, _ state: inout State
    ) -> (Acceptance, SocketHandle?) {
        guard Self.isUsable(state) else { return (.needsNewLink, nil) }
        guard state.calls.count < Self.maximumCalls else {
            return (.refused(ROSError(.tooLarge, "\(state.calls.count) calls to one service wait already")), nil)
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

    /// Gives a call up; its completion gets the error, unless it was completed already.
    func abandon(_ id: UInt64, _ error: ROSError) {
        let completion = state.withLock { state -> Completion? in
            guard let index = state.calls.firstIndex(where: { $0.id == id }) else { return nil }
            return Self.abandon(index, &state)
        }
        completion?(.failure(error))
        loop.wake()
    }

    /// A call that has left keeps its place in the order, without a completion.
    private static func abandon(_ index: Int, _ state: inout State) -> Completion? {
        let completion = state.calls[index].completion
        if state.calls[index].unsent != nil {
            state.calls.remove(at: index)
        } else {
            state.calls[index].completion = nil
            state.isRetired = true
        }
        return completion
    }

    /// Tells when the connection is open, or why it cannot be.
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

    /// Takes no new calls and ends when those on their way are answered.
    func retire() {
        state.withLock { $0.isRetired = true }
        loop.wake()
    }

    // MARK: The I/O thread

    /// When the next call runs out of time.
    var earliestDeadline: ContinuousClock.Instant? {
        state.withLock { state in
            state.calls.lazy.filter { $0.completion != nil }.map(\.deadline).min()
        }
    }

    /// Whether it is retired and nobody waits for it.
    var isIdleForEver: Bool {
        state.withLock { state in
            if case .closed = state.phase { return true }
            return state.isRetired && state.calls.allSatisfy { $0.completion == nil }
        }
    }

    /// The header was accepted: everything that waited goes out.
    func opened(_ socket: SocketHandle) {
        let waiters = outgoing.withLock { outgoing in
            state.withLock { state in
                state.phase = .open(socket)
                for index in state.calls.indices {
                    guard let bytes = state.calls[index].unsent else { continue }
                    outgoing.watch(bytes.count, state.calls[index].watcher)
                    outgoing.bytes += bytes
                    state.calls[index].unsent = nil
                }
                isBacklogged.store(!outgoing.bytes.isEmpty, ordering: .releasing)
                defer { state.openWaiters = [] }
                return state.openWaiters
            }
        }
        for waiter in waiters { waiter(.success(())) }
        _ = flush()
    }

    /// Writes what waits; `false` when the connection is broken.
    func flush() -> Bool {
        let (isAlive, news) = outgoing.withLock { outgoing -> (Bool, [(Watcher, Double)]) in
            guard case .open(let socket) = state.withLock({ $0.phase }) else { return (true, []) }
            while outgoing.sent < outgoing.bytes.count {
                switch outgoing.bytes.withUnsafeBytes({
                    socket.write(UnsafeRawBufferPointer(rebasing: $0[outgoing.sent...]))
                }) {
                case .moved(let count): outgoing.sent += count
                case .wouldBlock: return (true, outgoing.news)
                case .ended, .failed: return (false, [])
                }
            }
            let news = outgoing.news
            outgoing.bytes.removeAll(keepingCapacity: true)
            outgoing.sent = 0
            outgoing.watched = []
            isBacklogged.store(false, ordering: .releasing)
            return (true, news)
        }
        for (watcher, fraction) in news { watcher(fraction) }
        return isAlive
    }

    /// An answer has come: it belongs to the oldest call. `false` when nobody asked.
    func answered(_ result: Result<ROSReader, ROSError>) -> Bool {
        let (known, completion) = state.withLock { state -> (Bool, Completion?) in
            guard !state.calls.isEmpty else { return (false, nil) }
            return (true, state.calls.removeFirst().completion)
        }
        completion?(result)
        return known
    }

    /// Fails the calls whose time is over.
    func expire(_ now: ContinuousClock.Instant) {
        let completions = state.withLock { state -> [Completion] in
            var completions: [Completion] = []
            var index = 0
            while index < state.calls.count {
                guard state.calls[index].completion != nil, state.calls[index].deadline <= now else {
                    index += 1
                    continue
                }
                let wasUnsent = state.calls[index].unsent != nil
                if let completion = Self.abandon(index, &state) { completions.append(completion) }
                if !wasUnsent { index += 1 }
            }
            return completions
        }
        for completion in completions {
            completion(.failure(ROSError(.timedOut, "the service gave no answer in time")))
        }
    }

    /// The connection is at its end: calls that have not left get `unsent`, those that have get `sent`.
    func close(unsent: ROSError, sent: ROSError) {
        let (calls, waiters) = state.withLock { state -> ([Call], [@Sendable (Result<Void, ROSError>) -> Void]) in
            state.phase = .closed
            defer {
                state.calls = []
                state.openWaiters = []
            }
            return (state.calls, state.openWaiters)
        }
        for call in calls { call.completion?(.failure(call.unsent == nil ? sent : unsent)) }
        for waiter in waiters { waiter(.failure(unsent)) }
    }
}
