public import ROS2
public import ROSMessages
internal import Synchronization
internal import Zenoh

/// A client of a service; releasing it withdraws its token.
public final class ROS2ServiceClient<Service: ROS2Service>: Sendable {
    private let node: ROS2Node
    private let endpoint: Endpoint
    private let token: ZenohDeclaration
    private let counter: Mutex<AttachmentCounter>

    init(_ service: String, quality: QualityOfService, node: ROS2Node) throws(ROSError) {
        let endpoint = try node.endpoint(
            .client, service, type: Service.ros2TypeName, hash: Service.ros2TypeHash, quality: quality)
        node.describe(Service.self)
        self.node = node
        self.endpoint = endpoint
        counter = Mutex(AttachmentCounter(sender: EndpointID(of: endpoint.token)))
        token = try endpoint.declare(in: node.session)
    }

    /// The service.
    public var name: ROS2Name { endpoint.name }

    /// What the graph says of the servers: whether there is one, and whether its type is ours.
    public var agreement: ROS2Graph.Agreement {
        let (name, type) = (endpoint.name, endpoint.type)
        return node.session.state.withGraph { $0.agreement(on: name, .server, type: type) }
    }

    /// Calls the service.
    ///
    /// A server with another type or hash is not reached, which is an error at once and not silence.
    ///
    /// - Throws: `ROSError`: `noProvider`, `typeMismatch` with both types, `unreachable` when nothing was sent;
    ///   `timedOut`, `connectionLost` and `cancelled` when it is not known whether it was executed, also by a server that
    ///   has ended meanwhile; `serviceFailed`
    ///   when the server refused to read the request; `protocolViolation` for a reply that cannot be read.
    public func call(_ request: Service.Request, timeout: Duration) async throws(ROSError) -> Service.Response {
        let (question, asked) = try question(request)
        let replies: [ZenohReply]
        do throws(ZenohError) { replies = try await node.session.zenoh.query(question, timeout: timeout) } catch {
            throw ROSError(error)
        }
        return try response(replies, to: asked)
    }

    /// As ``call(_:timeout:)``, with a completion, which is called once: on the session's I/O thread, or at once when
    /// nothing is sent.
    public func call(
        _ request: Service.Request, timeout: Duration,
        completion: @escaping @Sendable (Result<Service.Response, ROSError>) -> Void
    ) {
        do throws(ROSError) {
            let (question, asked) = try question(request)
            node.session.zenoh.query(question, timeout: timeout) { result in
                switch result {
                case .failure(let error): completion(.failure(ROSError(error)))
                case .success(let replies):
                    do throws(ROSError) { completion(.success(try self.response(replies, to: asked))) } catch {
                        completion(.failure(error))
                    }
                }
            }
        } catch { completion(.failure(error)) }
    }

    /// A request that is sent.
    private struct Asked: Sendable {
        let attachment: MessageAttachment
        /// Whether a server of our type was in the graph then.
        let hasServer: Bool
    }

    private func question(_ request: Service.Request) throws(ROSError) -> (ZenohQuestion, Asked) {
        let state = node.session.state
        guard !state.reachesOlder(endpoint, .server) else { throw ROSError.olderPeer(endpoint.name.text) }
        let attachment = counter.withLock { $0.next(at: state.clock()) }
        var question = ZenohQuestion(key: endpoint.key)
        question.payload = request.cdr
        question.attachment = try Outgoing.bytes(of: attachment)
        question.target = .allComplete
        question.consolidation = ZenohConsolidation.none
        question.replyLimit = 1
        return (question, Asked(attachment: attachment, hasServer: agreement == .agrees))
    }

    private func response(
        _ replies: [ZenohReply], to asked: Asked
    ) throws(ROSError) -> Service.Response {
        let (state, request) = (node.session.state, asked.attachment)
        switch replies.first {
        case nil where asked.hasServer || agreement == .agrees:
            throw ROSError(
                .connectionLost, "\(endpoint.name): its server has ended without a reply",
                hint: "it is not known whether the request was executed")
        case nil: throw absence
        case .failure(let text):
            throw ROSError(
                .serviceFailed, "\(endpoint.name): the server says: \(String(decoding: text, as: UTF8.self))")
        case .value(let sample):
            guard let attachment = state.attachment(sample.attachment, on: endpoint.name, from: .server) else {
                throw ROSError(.protocolViolation, "\(endpoint.name): the reply has no valid attachment")
            }
            guard attachment.sequence == request.sequence, attachment.sender == request.sender else {
                state.refuse(.foreignReply, on: endpoint.name.text)
                throw ROSError(.protocolViolation, "\(endpoint.name): the reply is to another request")
            }
            do throws(ROSDecodingError) {
                var reader = try CDRReader(sample.bytes, range: sample.payloadRange)
                return try Service.Response(from: &reader)
            } catch {
                state.refuse(.undecodable, on: endpoint.name.text)
                throw ROSError(.protocolViolation, "\(endpoint.name): the reply cannot be read: \(error)")
            }
        }
    }

    /// Why nobody answered.
    private var absence: ROSError {
        guard case .differs(let types) = agreement, let other = types.first else {
            return ROSError(.noProvider, "no node offers the service \(endpoint.name)")
        }
        let ours = endpoint.type
        return ROSError(
            .typeMismatch, "\(endpoint.name) has the type \(other.name) \(other.hash), not \(ours.name) \(ours.hash)",
            hint: "install messages of the same version on both sides")
    }
}

extension ROS2Node {
    /// A client of a service.
    ///
    /// - Parameter service: the name; relative to the node's namespace unless it begins with `/` or `~/`.
    /// - Throws: `ROSError`: `invalidName`, `closed`.
    public func client<Service: ROS2Service>(
        of service: String, type: Service.Type = Service.self, quality: QualityOfService = .usual
    ) throws(ROSError) -> ROS2ServiceClient<Service> {
        try ROS2ServiceClient(service, quality: quality, node: self)
    }
}
