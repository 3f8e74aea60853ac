internal import ROSMessages
internal import Synchronization
internal import SystemIO
internal import XMLRPC
internal import TextSearch

/// Opens the connection of a ``ServiceLink`` and reads its responses: looks up the provider at the master, connects,
/// exchanges headers.
final class ServiceConnector: LoopHandler {
    private enum Phase {
        case asking
        case resolving
        case connecting(SocketHandle)
        case greeting(SocketHandle)
        case open(SocketHandle)
        case finished
    }

    /// The service to connect to.
    struct Target: Sendable {
        let service: String
        let type: String
        let md5: String
        let isPersistent: Bool
        let master: ROSURI
        let node: NodeIdentity
        let memory = ProviderCache()
    }

    /// The address at which a service was last reached.
    ///
    /// A restarted master does not know the service any more, since nodes in C++ and Python register only once, and an
    /// unreachable master cannot be asked. The provider may still run, and its header says whether it offers the service.
    final class ProviderCache: Sendable {
        private let uri = Mutex<ROSURI?>(nil)
        var last: ROSURI? { uri.withLock { $0 } }
        func note(_ uri: ROSURI) { self.uri.withLock { $0 = uri } }
    }

    /// The timeout of all steps together; calls have their own deadlines.
    private static let timeout: Duration = .seconds(10)

    private let link: ServiceLink
    private let target: Target
    private var phase = Phase.asking
    private var assembler = FrameAssembler()
    private var openingDeadline: ContinuousClock.Instant?
    private var provider: ROSURI?
    /// Why the lookup at the master failed, while the last known address is tried instead.
    private var doubt: ROSError?

    init(link: ServiceLink, target: Target) {
        self.link = link
        self.target = target
        openingDeadline = .now + Self.timeout
    }

    var isFinished: Bool { if case .finished = phase { true } else { false } }

    var descriptor: Int32 { socket?.descriptor ?? -1 }
    var owner: AnyObject? { socket }
    var isSelfContained: Bool { if case .open = phase { true } else { false } }

    private var socket: SocketHandle? {
        switch phase {
        case .connecting(let socket), .greeting(let socket), .open(let socket): socket
        case .asking, .resolving, .finished: nil
        }
    }

    var interest: Readiness {
        switch phase {
        case .connecting: .writable
        default: link.isBacklogged.load(ordering: .acquiring) ? .bothWays : .readable
        }
    }

    var deadline: ContinuousClock.Instant? {
        // A retired link without waiting calls is closed in the loop's next iteration.
        if link.isDrained { return .now }
        guard let openingDeadline else { return link.nextExpiry }
        return min(openingDeadline, link.nextExpiry ?? openingDeadline)
    }

    /// Looks up the provider at the master.
    func begin(on loop: LoopCore) {
        let connection = XMLRPCClientConnection(server: target.master, closesWhenIdle: true)
        loop.add(connection)
        connection.ask(
            XMLRPCCall("lookupService", [.string(target.node.name), .string(target.service)]),
            until: .now + Self.timeout, on: loop
        ) { [weak self] result, loop in
            guard let self, case .asking = self.phase else { return }
            let answer = ROSMaster.value(of: result, from: self.target.master, isMaster: true)
            do throws(ROSError) {
                guard let text = try answer.get().stringValue else {
                    throw ROSError(.protocolViolation, "the master's answer to lookupService is not a string")
                }
                self.resolve(try ROSURI(text, scheme: "rosrpc"), on: loop)
            } catch {
                let error = error.code == .refused ? ROSMaster.noProvider(self.target.service) : error
                guard let last = self.target.memory.last else { return self.end(error) }
                self.doubt = error
                self.resolve(last, on: loop)
            }
        }
    }

    private func resolve(_ uri: ROSURI, on loop: LoopCore) {
        phase = .resolving
        provider = uri
        loop.lookUp(uri.host) { [weak self, unowned loop] result in
            guard let self, case .resolving = self.phase else { return }
            do throws(SocketError) {
                self.phase = .connecting(try loop.connect(to: try result.get(), port: uri.port))
            } catch { self.unreachable(error.what) }
        }
    }

    private func unreachable(_ reason: String) {
        if let doubt { return end(doubt) }
        end(
            ROSError(
                .unreachable,
                "cannot reach the provider of \(target.service) at \(provider.map { "\($0)" } ?? "") (\(reason))",
                hint: "has its node crashed, or is its ROS_IP or ROS_HOSTNAME wrong?"))
    }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        switch phase {
        case .connecting(let socket):
            if let reason = socket.connectFailure { return unreachable(reason) }
            greet(socket)
        case .greeting(let socket), .open(let socket):
            if readiness.contains(.writable), !link.flush() { return broke() }
            guard !readiness.isDisjoint(with: .arrival) else { return }
            switch socket.read(into: loop.readBuffer) {
            case .wouldBlock: return
            case .ended, .failed: return broke()
            case .moved(let count):
                assembler.append(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
                do {
                    try takeHeader(socket)
                    try takeAnswers()
                } catch { end(error) }
            }
        case .asking, .resolving, .finished: break
        }
    }

    private func greet(_ socket: SocketHandle) {
        var header = ConnectionHeader([
            "callerid": target.node.name, "service": target.service, "md5sum": target.md5, "type": target.type,
            "tcp_nodelay": "1",
        ])
        if target.isPersistent { header["persistent"] = "1" }
        phase = .greeting(socket)
        let bytes = header.encoded
        if bytes.withUnsafeBytes({ socket.write($0) }) != .moved(bytes.count) { broke() }
    }

    private func takeHeader(_ socket: SocketHandle) throws(ROSError) {
        guard case .greeting = phase, let block = try assembler.next(within: ConnectionHeader.maximumBytes) else {
            return
        }
        let header = try ConnectionHeader(decoding: assembler.storage[block])
        if let error = header.error {
            if let doubt { throw doubt }
            // For another type roscpp and rospy send an error with both MD5 sums.
            guard error.includes("md5") else {
                throw ROSError(.refused, "the provider of \(target.service) refused: \(error)")
            }
            throw ROSError(
                .typeMismatch,
                "the provider of \(target.service) refused the type \(target.type) of this program: \(error)",
                hint: "the two ends have different definitions, or another node has taken the service's name")
        }
        guard ConnectionHeader.md5sMatch(header.md5, target.md5) else {
            throw ROSError(
                .typeMismatch,
                "\(target.service) has the type \(header.type) with sum \(header.md5), "
                    + "not \(target.type) with sum \(target.md5)", hint: "the two ends have different definitions")
        }
        phase = .open(socket)
        openingDeadline = nil
        if let provider { target.memory.note(provider) }
        link.opened(socket)
    }

    private func takeAnswers() throws(ROSError) {
        while case .open = phase, let (ok, block) = try assembler.nextAnswer(within: target.node.maximumMessageBytes) {
            let known: Bool
            if ok == 1 {
                known = link.answered(.success(ROSReader(assembler.storage, range: block)))
            } else {
                let text = String(decoding: assembler.storage[block], as: UTF8.self)
                known = link.answered(
                    .failure(
                        ROSError(.serviceFailed, text.isEmpty ? "\(target.service) failed without a reason" : text)))
            }
            guard known else {
                throw ROSError(.protocolViolation, "\(target.service) sent a response without a request")
            }
            if !target.isPersistent { return end(ROSError(.connectionLost, "the connection is closed after one call")) }
        }
    }

    private func broke() {
        let reason = "\(target.service) closed the connection"
        let sent = ROSError(
            .connectionLost, reason + " before answering", hint: "it is not known whether the call was executed")
        phase = .finished
        link.close(unsent: ROSError(.unreachable, reason), sent: sent)
    }

    private func end(_ error: ROSError) {
        phase = .finished
        link.close(unsent: error, sent: error)
    }

    func deadlinePassed(on loop: LoopCore) {
        link.expire(.now)
        if link.isDrained {
            end(ROSError(.closed, "the connection to \(target.service) was closed"))
        } else if let openingDeadline, openingDeadline <= .now {
            end(ROSError(.timedOut, "the provider of \(target.service) did not answer in time"))
        }
    }

    func loopWillStop(on loop: LoopCore) { end(ROSError(.closed, "the node was shut down")) }
}
