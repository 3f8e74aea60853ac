public import ROSMessages
internal import Synchronization
internal import SystemIO

/// A client of one service.
///
/// A persistent client keeps its connection, so a call is one packet each way; when the provider restarts, the next
/// call looks it up at the master again. A request is sent at most once. Calls may be made concurrently from many tasks
/// and threads; they are answered in the order of the requests.
public final class ROSServiceClient<Service: ROSService>: Sendable {
    private struct State {
        var link: ServiceLink?
        var nextID: UInt64 = 0
        var writer = ROSWriter(reservingCapacity: 256)
        var isClosed = false
    }

    /// The service's fully qualified name.
    public let name: String
    private let target: ServiceConnector.Target
    private let loop: EventLoop
    private let state = Mutex(State())

    init(name: String, isPersistent: Bool, master: ROSURI, node: NodeIdentity, loop: EventLoop) {
        self.name = name
        self.loop = loop
        target = ServiceConnector.Target(
            service: name, type: Service.typeName, md5: Service.md5, isPersistent: isPersistent, master: master,
            node: node)
    }

    deinit { close() }

    /// Whether the connection is open.
    public var isConnected: Bool { state.withLock { $0.link }?.isOpen ?? false }

    /// Opens the connection ahead of the first call.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/noProvider`` when no node offers the service,
    ///   ``ROSError/Code/typeMismatch`` when it has another type.
    public func connect(within timeout: Duration) async throws(ROSError) {
        let answer = Answer<Void>()
        guard let link = state.withLock({ state in state.isClosed ? nil : usableLink(&state) }) else {
            throw Self.closed
        }
        link.whenOpen { answer.settle($0) }
        // The link tracks the deadlines of calls only, so the timeout of the connection has its own timer.
        let deadline = ContinuousClock.now + timeout
        loop.submit { core in
            let timer = LoopTimer { timer, _ in
                timer.finish()
                answer.settle(.failure(ROSError(.timedOut, "the service did not answer in time")))
            }
            timer.set(deadline)
            core.add(timer)
        }
        try await answer.value()
    }

    /// Calls the service and waits for its answer without blocking a thread.
    ///
    /// - Throws: ``ROSError``. After ``ROSError/Code/timedOut``, ``ROSError/Code/cancelled`` and
    ///   ``ROSError/Code/connectionLost`` it is not known whether the call was executed.
    ///
    /// - Parameter progress: for a request that does not fit into the socket buffer at once: called with the fraction sent, from
    ///   0 to 1; with 0 on the calling thread, then on the node's I/O thread.
    public func call(
        _ request: Service.Request, within timeout: Duration, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(ROSError) -> Service.Response {
        let box = CancellableCall()
        let answer = Answer<Service.Response>(onCancel: { box.abandon() })
        let ticket = start(request, within: timeout, progress: progress) { answer.settle($0) }
        box.fill(ticket)
        return try await answer.value()
    }

    /// Calls the service and passes the answer to `completion` on the node's I/O thread, exactly once: the variant with the
    /// lowest latency. The completion must not block.
    public func call(
        _ request: Service.Request, within timeout: Duration,
        completion: @escaping @Sendable (Result<Service.Response, ROSError>) -> Void
    ) {
        start(request, within: timeout, completion: completion)
    }

    /// The same, for a caller who may take the request back while it waits for the connection.
    ///
    /// - Returns: takes it back if nothing of it was sent, and passes ``ROSError/Code/refused`` to `completion`; `nil` if it was sent
    ///   already.
    public func begin(
        _ request: Service.Request, within timeout: Duration,
        completion: @escaping @Sendable (Result<Service.Response, ROSError>) -> Void
    ) -> (@Sendable () -> Void)? {
        guard let ticket = start(request, within: timeout, completion: completion), ticket.link.holds(ticket.id) else {
            return nil
        }
        return { ticket.link.takeBack(ticket.id) }
    }

    /// Closes the connection once the calls in flight are answered; later calls fail.
    public func close() {
        let link = state.withLock { state in
            state.isClosed = true
            defer { state.link = nil }
            return state.link
        }
        link?.retire()
    }

    // MARK: Implementation

    /// A handle to a call in flight, to cancel it.
    private struct Ticket: Sendable {
        let link: ServiceLink
        let id: UInt64

        func abandon() { link.abandon(id, ROSError(.cancelled, "the call was cancelled")) }
    }

    /// Connects a task's cancellation to its call, whichever comes first.
    private final class CancellableCall: Sendable {
        private let state = Mutex<(ticket: Ticket?, isAbandoned: Bool)>((nil, false))

        func fill(_ ticket: Ticket?) {
            let now = state.withLock { state in
                state.ticket = ticket
                return state.isAbandoned
            }
            if now { ticket?.abandon() }
        }

        func abandon() {
            let ticket = state.withLock { state in
                state.isAbandoned = true
                return state.ticket
            }
            ticket?.abandon()
        }
    }

    private static var closed: ROSError { ROSError(.closed, "the service client was closed") }

    @discardableResult
    private func start(
        _ request: Service.Request, within timeout: Duration, progress: (@Sendable (Double) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Service.Response, ROSError>) -> Void
    ) -> Ticket? {
        let deadline = ContinuousClock.now + timeout
        let name = name
        let completed: ServiceLink.Completion = { result in
            completion(
                Result { () throws(ROSError) in
                    var reader = try result.get()
                    do throws(ROSDecodingError) { return try Service.Response(from: &reader) } catch {
                        throw ROSError(.protocolViolation, "cannot decode the response of \(name): \(error)")
                    }
                })
        }
        let outcome = state.withLock { state -> Result<Ticket, ROSError> in
            guard !state.isClosed else { return .failure(Self.closed) }
            state.nextID += 1
            let id = state.nextID
            state.writer.removeAll()
            state.writer.writeFramed(request)
            // A persistent connection may be dead without our knowledge; then a new one is opened.
            for _ in 0..<2 {
                let link = usableLink(&state)
                switch link.start(state.writer, id: id, deadline: deadline, watcher: progress, completion: completed) {
                case .taken: return .success(Ticket(link: link, id: id))
                case .refused(let error): return .failure(error)
                case .needsNewLink: state.link = nil
                }
            }
            return .failure(ROSError(.unreachable, "no connection to \(name)"))
        }
        switch outcome {
        case .success(let ticket): return ticket
        case .failure(let error):
            completion(.failure(error))
            return nil
        }
    }

    /// The connection for the next call; opens one when there is none.
    private func usableLink(_ state: inout State) -> ServiceLink {
        if let link = state.link, link.isUsable { return link }
        let link = ServiceLink(isPersistent: target.isPersistent, loop: loop)
        state.link = link
        let target = target
        let submitted = loop.submit { core in
            let connector = ServiceConnector(link: link, target: target)
            core.add(connector)
            connector.begin(on: core)
        }
        if !submitted {
            let error = ROSError(.closed, "the node was shut down")
            link.close(unsent: error, sent: error)
        }
        return link
    }
}
