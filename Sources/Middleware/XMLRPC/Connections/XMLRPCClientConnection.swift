package import SystemIO

/// A client of one XML-RPC server: calls are made one at a time over a persistent connection, on the loop's thread.
///
/// A connection that the server closed between two calls is reopened. A call is resent, once, only when a reused
/// connection broke before any byte of the response arrived. So all calls must be idempotent.
package final class XMLRPCClientConnection: LoopHandler {
    /// Receives the response, or why there is none, on the loop's thread.
    package typealias Completion = (Result<XMLRPCResponse, XMLRPCError>, LoopCore) -> Void

    private struct Pending {
        let bytes: [UInt8]
        let deadline: ContinuousClock.Instant
        let completion: Completion
        var mayRetry = true
    }

    private enum Phase {
        case idle
        case resolving
        case connecting(SocketHandle)
        case open(SocketHandle)
        case finished
    }

    private let host: String
    private let port: UInt16
    private var phase = Phase.idle
    private var pending: [Pending] = []
    private var sent = 0
    private var parser = HTTPParser(.answers)
    private var sawAnswerBytes = false
    private var isInExchange = false
    private var isFreshConnection = true
    private let closesWhenIdle: Bool

    /// Creates a client; it connects on the first call, when it was added to an event loop.
    ///
    /// - Parameters:
    ///   - host: the server's host name or IPv4 address.
    ///   - closesWhenIdle: whether the connection is closed when no call is pending.
    package init(host: String, port: UInt16, closesWhenIdle: Bool) {
        self.host = host
        self.port = port
        self.closesWhenIdle = closesWhenIdle
    }

    /// Queues a call; the completion is called exactly once, on the loop's thread, by the deadline.
    package func call(
        _ call: XMLRPCCall, until deadline: ContinuousClock.Instant, on loop: LoopCore, completion: @escaping Completion
    ) {
        guard !isFinished else {
            return completion(.failure(XMLRPCError(.closed, "the client was closed")), loop)
        }
        let body = XMLRPCEncoder.encode(call)
        let bytes = HTTPMessage.post(body, host: "\(host):\(port)", target: "/RPC2")
        pending.append(Pending(bytes: bytes, deadline: deadline, completion: completion))
        advance(on: loop)
    }

    /// Closes the connection; pending calls fail.
    package func close(on loop: LoopCore) {
        fail(all: XMLRPCError(.closed, "the client was closed"), on: loop, finishing: true)
    }

    /// The server in texts.
    private var server: String { "http://\(host):\(port)" }

    // MARK: LoopHandler

    package var descriptor: Int32 { socket?.descriptor ?? -1 }
    package var owner: AnyObject? { socket }

    private var socket: SocketHandle? {
        switch phase {
        case .connecting(let socket), .open(let socket): socket
        case .idle, .resolving, .finished: nil
        }
    }

    package var interest: Readiness {
        switch phase {
        case .connecting: .writable
        case .open: isInExchange && sent < (pending.first?.bytes.count ?? 0) ? .bothWays : .readable
        case .idle, .resolving, .finished: []
        }
    }

    package var deadline: ContinuousClock.Instant? { pending.lazy.map(\.deadline).min() }

    package var isFinished: Bool { if case .finished = phase { true } else { false } }

    package func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch phase {
        case .connecting(let socket):
            if let reason = socket.connectFailure { return connectingFailed(reason, on: loop) }
            phase = .open(socket)
            advance(on: loop)
        case .open(let socket):
            if !readiness.isDisjoint(with: .arrival) { read(from: socket, on: loop) }
            if readiness.contains(.writable), case .open = phase { write(on: loop) }
        case .idle, .resolving, .finished: break
        }
    }

    package func deadlinePassed(on loop: LoopCore) {
        let now = ContinuousClock.now
        // A late response would be matched to the next call: the connection is closed with the call.
        if let first = pending.first, first.deadline <= now {
            if case .resolving = phase {} else { reset() }
            isInExchange = false
        }
        let late = pending.filter { $0.deadline <= now }
        pending.removeAll { $0.deadline <= now }
        for call in late {
            call.completion(.failure(XMLRPCError(.timedOut, "\(server) did not answer in time")), loop)
        }
        advance(on: loop)
    }

    package func loopWillStop(on loop: LoopCore) { close(on: loop) }

    // MARK: Steps

    private func advance(on loop: LoopCore) {
        switch phase {
        case .idle:
            if pending.isEmpty {
                if closesWhenIdle { phase = .finished }
                return
            }
            phase = .resolving
            loop.lookUp(host) { [weak self] result in self?.resolved(result, on: loop) }
        case .open:
            guard !isInExchange else { return }
            if pending.isEmpty {
                if closesWhenIdle { phase = .finished }
                return
            }
            isInExchange = true
            sent = 0
            sawAnswerBytes = false
            parser = HTTPParser(.answers)
            write(on: loop)
        case .resolving, .connecting, .finished: break
        }
    }

    private func resolved(_ result: Result<IPv4Address, SocketError>, on loop: LoopCore) {
        guard case .resolving = phase else { return }
        do {
            let socket = try loop.connect(to: try result.get(), port: port)
            isFreshConnection = true
            phase = .connecting(socket)
        } catch { connectingFailed(error.what, on: loop) }
    }

    private func connectingFailed(_ reason: String, on loop: LoopCore) {
        fail(all: XMLRPCError(.unreachable, "cannot reach \(server) (\(reason))"), on: loop)
    }

    private func write(on loop: LoopCore) {
        guard case .open(let socket) = phase, isInExchange, let bytes = pending.first?.bytes, sent < bytes.count else {
            return
        }
        let outcome = bytes.withUnsafeBytes { socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        switch outcome {
        case .moved(let count): sent += count
        case .wouldBlock: break
        case .ended, .failed: broke("connection reset by the peer", on: loop)
        }
    }

    private func read(from socket: SocketHandle, on loop: LoopCore) {
        switch socket.read(into: loop.readBuffer) {
        case .wouldBlock: return
        case .moved(let count):
            guard isInExchange else { return broke("unexpected data", on: loop) }
            sawAnswerBytes = true
            parser.feed(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
            do {
                if let message = try parser.next() { answered(message, on: loop) }
            } catch { broke(error.what, on: loop, code: .protocolViolation) }
        case .ended:
            if isInExchange, sawAnswerBytes, let message = try? parser.end() {
                answered(message, on: loop, ended: true)
            } else {
                broke("connection closed by the peer", on: loop)
            }
        case .failed(let code): broke(SystemError.text(code), on: loop)
        }
    }

    private func answered(_ message: HTTPMessage, on loop: LoopCore, ended: Bool = false) {
        let call = pending.removeFirst()
        isInExchange = false
        isFreshConnection = false
        if ended || !message.isKeepAlive { reset() }
        call.completion(
            Result { () throws(XMLRPCError) in
                guard message.status == 200 else {
                    throw XMLRPCError(.protocolViolation, "\(server) answered '\(message.startLine.prefix(80))'")
                }
                return try XMLRPCDecoder.response(message.body)
            }, loop)
        advance(on: loop)
    }

    private func broke(_ reason: String, on loop: LoopCore, code: XMLRPCError.Code = .connectionLost) {
        let wasFresh = isFreshConnection
        reset()
        guard isInExchange else { return advance(on: loop) }
        isInExchange = false
        if !wasFresh, !sawAnswerBytes, code == .connectionLost, pending.first?.mayRetry == true {
            pending[0].mayRetry = false
            return advance(on: loop)
        }
        let call = pending.removeFirst()
        call.completion(.failure(XMLRPCError(code, "the connection to \(server) was lost (\(reason))")), loop)
        advance(on: loop)
    }

    private func reset() {
        if case .finished = phase { return }
        phase = .idle
    }

    private func fail(all error: XMLRPCError, on loop: LoopCore, finishing: Bool = false) {
        let calls = pending
        pending = []
        isInExchange = false
        phase = finishing || closesWhenIdle ? .finished : .idle
        for call in calls { call.completion(.failure(error), loop) }
    }
}
