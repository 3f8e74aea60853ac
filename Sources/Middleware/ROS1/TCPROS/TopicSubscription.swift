internal import ROSMessages
internal import SystemIO
internal import XMLRPC
internal import TextSearch

/// All subscriptions of a node to one topic; used on the I/O thread only.
final class TopicSubscription {
    /// One subscription of the program.
    struct Receiver {
        let id: Int
        /// `*` matches every type.
        let type: String
        let md5: String
        let definition: String
        /// Called on the I/O thread with the receive buffer, the range of the message in it, and the publisher's header.
        let deliver: @Sendable ([UInt8], Range<Int>, ConnectionHeader) -> Void
    }

    let topic: String
    private let node: NodeIdentity
    private(set) var receivers: [Receiver] = []
    private var publishers: [String: PublisherPeer] = [:]

    init(topic: String, node: NodeIdentity) {
        self.topic = topic
        self.node = node
    }

    /// The type of the first receiver that has one.
    var type: String { receivers.first { $0.type != "*" }?.type ?? "*" }

    /// The type registered with the master; unchanged when receivers are added or removed.
    private(set) lazy var registeredType = type

    /// The type to request from publishers: that of the receivers when all have the same MD5 sum; `nil` for any type, where
    /// each receiver is checked.
    fileprivate var requested: Receiver? {
        let typed = receivers.filter { $0.md5 != "*" }
        guard let first = typed.first, typed.allSatisfy({ $0.md5 == first.md5 }), typed.count == receivers.count else {
            return nil
        }
        return first
    }

    func add(_ receiver: Receiver) { receivers.append(receiver) }

    func remove(_ id: Int) { receivers.removeAll { $0.id == id } }

    /// Applies the master's list of publishers.
    ///
    /// A connected publisher that is no longer listed is kept until it closes the connection: one that stops publishing does so
    /// itself, and a restarted master does not know the nodes that register only once (all in C++ and Python).
    func update(publishers uris: [String], on loop: LoopCore) {
        let listed = Set(uris)
        for (uri, peer) in publishers {
            peer.isListed = listed.contains(uri)
            guard !peer.isListed, !peer.isStreaming else { continue }
            peer.finish()
            publishers[uri] = nil
        }
        for uri in listed where publishers[uri] == nil {
            guard let server = try? ROSURI(uri, scheme: "http") else {
                node.tell(
                    .publisherLost(
                        topic: topic, uri: uri, ROSError(.protocolViolation, "'\(uri)' is not a node's address")))
                continue
            }
            let peer = PublisherPeer(uri: uri, server: server, subscription: self, node: node)
            publishers[uri] = peer
            loop.add(peer)
            peer.begin(on: loop)
        }
    }

    /// A publisher that the master does not list has closed its connection.
    fileprivate func lost(_ peer: PublisherPeer) {
        peer.finish()
        publishers[peer.uri] = nil
    }

    /// Closes all connections.
    func close() {
        for peer in publishers.values { peer.finish() }
        publishers = [:]
    }

    var connections: [(uri: String, node: String, bytes: UInt64)] {
        publishers.values.filter(\.isStreaming).map { ($0.uri, $0.peerNode, $0.received) }
    }

    fileprivate func deliver(_ bytes: [UInt8], _ block: Range<Int>, _ header: ConnectionHeader) {
        for receiver in receivers where ConnectionHeader.md5sMatch(receiver.md5, header.md5) {
            receiver.deliver(bytes, block, header)
        }
    }
}

/// A connection to one publisher of a subscribed topic, reopened whenever it breaks.
private final class PublisherPeer: LoopHandler {
    private enum Phase {
        case asking
        case resolving
        case connecting(SocketHandle)
        case greeting(SocketHandle)
        case streaming(SocketHandle)
        case pausing
        case finished
    }

    /// The timeout of each step: a packet and two retransmissions over a bad link.
    private static let stepTimeout: Duration = .seconds(5)
    /// The first pause before a retry, doubled up to the longest: a restarting node is back within a second or two.
    private static let firstPause: Duration = .milliseconds(100)
    private static let longestPause: Duration = .seconds(2)
    /// The pause after a refusal, such as a wrong type, which does not change soon.
    private static let refusedPause: Duration = .seconds(5)
    /// Consecutive reads from one publisher before the other sockets are served.
    private static let maximumConsecutiveReads = 16

    let uri: String
    private let server: ROSURI
    private unowned let subscription: TopicSubscription
    private let node: NodeIdentity
    private var phase = Phase.pausing
    private var pause = firstPause
    private var assembler = FrameAssembler()
    private var header = ConnectionHeader()
    private(set) var deadline: ContinuousClock.Instant?
    private(set) var received: UInt64 = 0
    /// Whether the master lists the publisher; otherwise its connection is not reopened.
    var isListed = true
    /// The number of the attempt, so that a late answer to an earlier one is ignored.
    private var attempt = 0

    init(uri: String, server: ROSURI, subscription: TopicSubscription, node: NodeIdentity) {
        self.uri = uri
        self.server = server
        self.subscription = subscription
        self.node = node
    }

    var peerNode: String { header.callerID }
    var isStreaming: Bool { if case .streaming = phase { true } else { false } }
    var isFinished: Bool { if case .finished = phase { true } else { false } }

    var descriptor: Int32 { socket?.descriptor ?? -1 }
    var owner: AnyObject? { socket }
    var isSelfContained: Bool { isStreaming }
    private var socket: SocketHandle? {
        switch phase {
        case .connecting(let socket), .greeting(let socket), .streaming(let socket): socket
        case .asking, .resolving, .pausing, .finished: nil
        }
    }

    var interest: Readiness { if case .connecting = phase { .writable } else { .readable } }

    /// Closes the connection for good.
    func finish() { phase = .finished }

    /// Requests the topic's TCPROS address from the publisher's node.
    func begin(on loop: LoopCore) {
        attempt += 1
        let attempt = attempt
        phase = .asking
        deadline = nil
        let connection = XMLRPCClientConnection(server: server, closesWhenIdle: true)
        loop.add(connection)
        let protocols = XMLRPCValue.array([.array([.string("TCPROS")])])
        connection.ask(
            XMLRPCCall("requestTopic", [.string(node.name), .string(subscription.topic), protocols]),
            until: .now + Self.stepTimeout, on: loop
        ) { [weak self] result, loop in
            guard let self, self.attempt == attempt, case .asking = self.phase else { return }
            self.asked(result, on: loop)
        }
    }

    private func asked(_ result: Result<XMLRPCResponse, ROSError>, on loop: LoopCore) {
        do throws(ROSError) {
            let value = try MasterResponse.value(of: result.get(), from: uri)
            guard let parts = value.arrayValue, parts.count >= 3, parts[0].stringValue == "TCPROS",
                let host = parts[1].stringValue, let port = parts[2].intValue.flatMap(UInt16.init(exactly:))
            else { throw ROSError(.protocolViolation, "\(uri) offers no TCPROS for \(subscription.topic)") }
            phase = .resolving
            deadline = .now + Self.stepTimeout
            let attempt = attempt
            loop.lookUp(host) { [weak self, unowned loop] result in
                guard let self, self.attempt == attempt, case .resolving = self.phase else { return }
                do throws(SocketError) {
                    self.phase = .connecting(try loop.connect(to: try result.get(), port: port))
                    self.deadline = .now + Self.stepTimeout
                } catch { self.failed(ROSError(error), on: loop) }
            }
        } catch { failed(error, on: loop) }
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch phase {
        case .connecting(let socket):
            if let reason = socket.connectFailure {
                return failed(ROSError(.unreachable, "cannot reach the publisher (\(reason))"), on: loop)
            }
            greet(socket, on: loop)
        case .greeting(let socket), .streaming(let socket):
            for _ in 0..<Self.maximumConsecutiveReads {
                let outcome = socket.read(into: loop.readBuffer)
                guard case .moved(let count) = outcome else {
                    if outcome != .wouldBlock {
                        failed(ROSError(.connectionLost, "the publisher closed the connection"), on: loop)
                    }
                    return
                }
                assembler.append(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
                received &+= UInt64(count)
                do { try takeBlocks() } catch { return failed(error, on: loop) }
                if isFinished || count < loop.readBuffer.count { return }
            }
        case .asking, .resolving, .pausing, .finished: break
        }
    }

    private func greet(_ socket: SocketHandle, on loop: LoopCore) {
        var fields = [
            "callerid": node.name, "topic": subscription.topic, "tcp_nodelay": "1", "type": "*", "md5sum": "*",
        ]
        if let requested = subscription.requested {
            fields["type"] = requested.type
            fields["md5sum"] = requested.md5
            fields["message_definition"] = requested.definition
        }
        assembler = FrameAssembler()
        phase = .greeting(socket)
        deadline = .now + Self.stepTimeout
        // The buffer of a new socket holds any header.
        let bytes = ConnectionHeader(fields).encoded
        if bytes.withUnsafeBytes({ socket.write($0) }) != .moved(bytes.count) {
            failed(ROSError(.connectionLost, "cannot send the header to the publisher"), on: loop)
        }
    }

    private func takeBlocks() throws(ROSError) {
        if case .greeting(let socket) = phase {
            guard let block = try assembler.next(within: ConnectionHeader.maximumBytes) else { return }
            header = try ConnectionHeader(decoding: assembler.storage[block])
            try check(header)
            phase = .streaming(socket)
            deadline = nil
            pause = Self.firstPause
            node.tell(.publisherConnected(topic: subscription.topic, node: header.callerID))
        }
        while case .streaming = phase, let block = try assembler.next(within: node.maximumMessageBytes) {
            subscription.deliver(assembler.storage, block, header)
        }
    }

    private func check(_ header: ConnectionHeader) throws(ROSError) {
        if let error = header.error {
            throw ROSError(
                error.includes("md5") ? .typeMismatch : .refused,
                "the publisher of \(subscription.topic) refused: \(error)")
        }
        if let wrong = subscription.receivers.first(where: { !ConnectionHeader.md5sMatch($0.md5, header.md5) }) {
            let error = ROSError(
                .typeMismatch,
                "\(subscription.topic) has the type \(header.type) with sum \(header.md5), "
                    + "not \(wrong.type) with sum \(wrong.md5)", hint: "the two ends have different message definitions"
            )
            // Other receivers of the topic may match.
            guard subscription.receivers.contains(where: { ConnectionHeader.md5sMatch($0.md5, header.md5) }) else {
                throw error
            }
            node.tell(.publisherLost(topic: subscription.topic, uri: uri, error))
        }
    }

    private func failed(_ error: ROSError, on loop: LoopCore) {
        guard !isFinished else { return }
        node.tell(.publisherLost(topic: subscription.topic, uri: uri, error))
        guard isListed else { return subscription.lost(self) }
        attempt += 1
        phase = .pausing
        header = ConnectionHeader()
        assembler = FrameAssembler()
        let refused = error.code == .typeMismatch || error.code == .refused
        deadline = .now + (refused ? Self.refusedPause : pause)
        pause = min(pause * 2, Self.longestPause)
    }

    func deadlinePassed(on loop: LoopCore) {
        switch phase {
        case .pausing: begin(on: loop)
        case .resolving, .connecting, .greeting:
            failed(ROSError(.timedOut, "the publisher did not answer in time"), on: loop)
        case .asking, .streaming, .finished: deadline = nil
        }
    }

    func loopWillStop(on loop: LoopCore) { finish() }
}
