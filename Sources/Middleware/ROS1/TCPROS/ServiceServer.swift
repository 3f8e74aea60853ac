internal import ROSMessages
internal import Synchronization
internal import SystemIO

/// The thread that runs a service's handler.
public enum ROSHandlerThread: Sendable {
    /// A thread of a pool, where the handler may block without delaying other connections.
    case worker
    /// The node's I/O thread, without a thread switch: only for handlers that return within microseconds, since they block
    /// all other I/O of the node.
    case immediate
}

/// An error that a service's handler throws to make the call fail (ok byte 0) with a text.
public struct ROSServiceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text sent to the caller.
    public let description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }
}

/// An advertised service.
struct ServiceEndpoint: Sendable {
    /// Receives the result of a request: the serialised response, or why it failed.
    typealias Respond = @Sendable (Result<[UInt8], ROSServiceFailure>) -> Void

    let name: String
    let type: String
    let md5: String
    let requestType: String
    let responseType: String
    /// Handles a serialised request and responds once, now or later, on any thread.
    let handle: @Sendable ([UInt8], @escaping Respond) -> Void

    func header(for node: NodeIdentity) -> ConnectionHeader {
        ConnectionHeader([
            "callerid": node.name, "md5sum": md5, "type": type, "request_type": requestType,
            "response_type": responseType,
        ])
    }

    /// Why a caller's header is refused; `nil` when it is accepted.
    func refusal(of header: ConnectionHeader) -> ROSError? {
        guard !header.md5.isEmpty, !header.callerID.isEmpty else {
            return ROSError(.protocolViolation, "the header of a service call must have md5sum, service and callerid")
        }
        guard ConnectionHeader.md5sMatch(header.md5, md5) else {
            return ROSError(
                .typeMismatch, "md5sums do not match: the service \(name) of type \(type) has \(md5), not \(header.md5)"
            )
        }
        guard header.type.isEmpty || header.type == "*" || header.type == type else {
            return ROSError(.typeMismatch, "the service \(name) has the type \(type), not \(header.type)")
        }
        return nil
    }
}

/// A caller's connection to a service: requests are handled one at a time, in the order of arrival.
final class ServiceServerLink: Sendable {
    private struct State {
        var inbox: [[UInt8]] = []
        var isBusy = false
        var outgoing: [UInt8] = []
        var sent = 0
        var isClosed = false
    }

    /// Queued requests of one connection; at the bound nothing is read until some are answered.
    private static let maximumWaiting = 32

    let socket: SocketHandle
    private let endpoint: ServiceEndpoint
    private let isPersistent: Bool
    private let loop: EventLoop
    private let state = Mutex(State())
    /// Bytes are queued for the socket.
    let isBacklogged = Atomic(false)
    /// Too many requests are queued.
    let isFull = Atomic(false)
    /// The last response was sent or queued, and nothing follows.
    let isDone = Atomic(false)

    init(socket: SocketHandle, endpoint: ServiceEndpoint, isPersistent: Bool, loop: EventLoop) {
        self.socket = socket
        self.endpoint = endpoint
        self.isPersistent = isPersistent
        self.loop = loop
    }

    /// Handles or queues a received request (I/O thread).
    func take(_ request: [UInt8]) {
        let next: [UInt8]? = state.withLock { state in
            guard !state.isClosed else { return nil }
            guard !state.isBusy else {
                state.inbox.append(request)
                if state.inbox.count >= Self.maximumWaiting { isFull.store(true, ordering: .releasing) }
                return nil
            }
            state.isBusy = true
            return request
        }
        if let next { handle(next) }
    }

    private func handle(_ request: [UInt8]) {
        endpoint.handle(request) { [self] result in
            if let next = finish(result) { handle(next) }
        }
    }

    /// Sends the response and returns the next queued request.
    private func finish(_ result: Result<[UInt8], ROSServiceFailure>) -> [UInt8]? {
        var writer = ROSWriter()
        switch result {
        case .success(let payload):
            writer.write(UInt8(1))
            writer.write(payload)
        case .failure(let failure):
            writer.write(UInt8(0))
            writer.write(failure.description)
        }
        let (next, wakes) = state.withLock { state -> ([UInt8]?, Bool) in
            var wakes = send(writer.bytes, &state)
            if !isPersistent {
                isDone.store(true, ordering: .releasing)
                return (nil, true)
            }
            guard !state.isClosed, !state.inbox.isEmpty else {
                state.isBusy = false
                return (nil, wakes)
            }
            let next = state.inbox.removeFirst()
            if state.inbox.count < Self.maximumWaiting / 2, isFull.exchange(false, ordering: .acquiringAndReleasing) {
                wakes = true
            }
            return (next, wakes)
        }
        if wakes { loop.wake() }
        return next
    }

    /// Writes as much as the socket accepts and queues the rest; `true` when the I/O thread must be woken.
    private func send(_ bytes: [UInt8], _ state: inout State) -> Bool {
        guard !state.isClosed else { return false }
        guard state.outgoing.isEmpty else {
            state.outgoing += bytes
            return false
        }
        switch bytes.withUnsafeBytes({ socket.write($0) }) {
        case .moved(let count) where count == bytes.count: return false
        case .moved(let count):
            state.outgoing = bytes
            state.sent = count
        case .wouldBlock:
            state.outgoing = bytes
            state.sent = 0
        case .ended, .failed:
            state.isClosed = true
        }
        isBacklogged.store(true, ordering: .releasing)
        return true
    }

    /// Sends our header.
    func greet(_ bytes: [UInt8]) { _ = state.withLock { send(bytes, &$0) } }

    /// Writes queued bytes (I/O thread); `false` when the connection is broken.
    func flush() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            while state.sent < state.outgoing.count {
                switch state.outgoing.withUnsafeBytes({
                    socket.write(UnsafeRawBufferPointer(rebasing: $0[state.sent...]))
                }) {
                case .moved(let count): state.sent += count
                case .wouldBlock: return true
                case .ended, .failed: return false
                }
            }
            state.outgoing = []
            state.sent = 0
            isBacklogged.store(false, ordering: .releasing)
            return true
        }
    }

    /// Closes the link: later responses are discarded.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.inbox = []
            state.outgoing = []
        }
    }
}

/// Reads the requests of a ``ServiceServerLink``.
final class ServiceServerReader: LoopHandler {
    private let link: ServiceServerLink
    private var assembler: FrameAssembler
    private let maximum: Int
    private(set) var isFinished = false

    init(link: ServiceServerLink, assembler: FrameAssembler, maximum: Int, on loop: LoopCore) {
        self.link = link
        self.assembler = assembler
        self.maximum = maximum
        takeRequests()
    }

    var descriptor: Int32 { link.socket.descriptor }
    var owner: AnyObject? { link.socket }
    var isSelfContained: Bool { true }
    var interest: Readiness {
        var interest: Readiness = link.isFull.load(ordering: .acquiring) ? [] : .readable
        if link.isBacklogged.load(ordering: .acquiring) || link.isDone.load(ordering: .acquiring) {
            interest.insert(.writable)
        }
        return interest
    }
    var deadline: ContinuousClock.Instant? { nil }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        if readiness.contains(.writable) {
            guard link.flush() else { return end() }
            if link.isDone.load(ordering: .acquiring), !link.isBacklogged.load(ordering: .acquiring) {
                isFinished = true
                link.close()
                // The caller closes the connection when it has read the response.
                loop.add(LingeringClose(socket: link.socket, bytes: []))
                return
            }
        }
        guard !readiness.isDisjoint(with: .arrival) else { return }
        switch link.socket.read(into: loop.readBuffer) {
        case .wouldBlock: return
        case .ended, .failed: end()
        case .moved(let count):
            assembler.append(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
            takeRequests()
        }
    }

    private func takeRequests() {
        do {
            while let block = try assembler.next(within: maximum) { link.take(Array(assembler.storage[block])) }
        } catch { end() }
    }

    func deadlinePassed(on loop: LoopCore) {}
    func loopWillStop(on loop: LoopCore) { end() }

    /// Closes the connection.
    func end() {
        isFinished = true
        link.close()
    }
}
