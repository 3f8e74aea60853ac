public import ROS2
public import ROSMessages
internal import Synchronization
internal import Zenoh

/// An offered service; releasing it withdraws it.
public final class ROS2ServiceServer: Sendable {
    private let node: ROS2Node
    private let endpoint: Endpoint
    private let declarations: [ZenohDeclaration]

    fileprivate init(
        _ endpoint: Endpoint, node: ROS2Node, answer: @escaping @Sendable (IncomingRequest) -> Void
    ) throws(ROSError) {
        self.node = node
        self.endpoint = endpoint
        let (state, key) = (node.session.state, endpoint.key)
        declarations = [
            try throwingROSError { () throws(ZenohError) in
                try node.session.zenoh.serve(key) { query in
                    if let request = IncomingRequest(query, of: endpoint, state: state) { answer(request) }
                }
            },
            try endpoint.declare(in: node.session),
        ]
    }

    /// The service.
    public var name: ROS2Name { endpoint.name }
}

/// A request that may be executed: it asks for this service alone, and its attachment is valid and can be repeated.
struct IncomingRequest: Sendable {
    private let query: ZenohQuery
    private let attachment: MessageAttachment
    private let service: String
    private let state: SessionState

    /// Refuses any other request, and says why to those that read it: a client of ours.
    init?(_ query: ZenohQuery, of endpoint: Endpoint, state: SessionState) {
        let service = endpoint.name.text
        func refuse(_ refusal: ROS2Refusal) {
            state.refuse(refusal, on: service)
            query.fail(Array("refused \(refusal)".utf8))
        }
        guard query.key == endpoint.key else {
            refuse(.wildcard)
            return nil
        }
        guard let attachment = state.attachment(query.attachment, on: endpoint.name, from: .client) else {
            query.fail(Array("refused a request without a valid attachment".utf8))
            return nil
        }
        // A reply has the present form, which would end such a client.
        guard query.attachment?.count == MessageAttachment.size else {
            refuse(.olderAttachment)
            return nil
        }
        self.query = query
        self.attachment = attachment
        self.service = service
        self.state = state
    }

    /// The request; `nil` when it was refused.
    func decoded<Request: ROS2Message>(_ type: Request.Type) -> Request? {
        do throws(ROSDecodingError) {
            var reader = try CDRReader(query.bytes, range: query.payloadRange ?? 0..<0)
            return try Request(from: &reader)
        } catch {
            state.refuse(.undecodable, on: service)
            query.fail(Array("the request cannot be read: \(error)".utf8))
            return nil
        }
    }

    /// Sends the one reply.
    func reply(_ response: some ROS2Message) {
        do throws(ROSError) {
            query.reply(
                payload: response.cdr, attachment: try Outgoing.bytes(of: attachment.reply(at: state.clock())))
        } catch { query.fail(Array(error.what.utf8)) }
    }

    /// Too many requests wait already.
    func refuseTooMany() {
        state.refuse(.tooMany, on: service)
        query.fail(Array("refused, because too many requests are waiting".utf8))
    }
}

extension ROS2Node {
    /// The most requests of a server whose handlers run at the same time.
    private static let maximumWaiting = 64

    /// Offers a service whose handler returns at once.
    ///
    /// - Parameters:
    ///   - service: the name; relative to the node's namespace unless it begins with `/` or `~/`.
    ///   - handler: called on the session's I/O thread; must not block. A service of ROS 2 cannot fail as such: the
    ///     response says so.
    /// - Returns: the server; release it to withdraw the service.
    /// - Throws: `ROSError`: `invalidName`, `closed`.
    public func serve<Service: ROS2Service>(
        _ service: String, type: Service.Type = Service.self, quality: QualityOfService = .usual,
        handler: @escaping @Sendable (Service.Request) -> Service.Response
    ) throws(ROSError) -> ROS2ServiceServer {
        try ROS2ServiceServer(endpoint(offering: service, type, quality), node: self) { incoming in
            if let request = incoming.decoded(Service.Request.self) { incoming.reply(handler(request)) }
        }
    }

    /// Offers a service whose handler takes time. Handlers of several requests run at the same time.
    ///
    /// - Throws: as ``serve(_:type:quality:handler:)``.
    public func serve<Service: ROS2Service>(
        _ service: String, type: Service.Type = Service.self, quality: QualityOfService = .usual,
        asyncHandler: @escaping @Sendable (Service.Request) async -> Service.Response
    ) throws(ROSError) -> ROS2ServiceServer {
        let running = RunningRequests()
        return try ROS2ServiceServer(endpoint(offering: service, type, quality), node: self) { incoming in
            guard let request = incoming.decoded(Service.Request.self) else { return }
            guard running.begin(atMost: Self.maximumWaiting) else { return incoming.refuseTooMany() }
            Task {
                incoming.reply(await asyncHandler(request))
                running.end()
            }
        }
    }

    private func endpoint<Service: ROS2Service>(
        offering name: String, _ type: Service.Type, _ quality: QualityOfService
    ) throws(ROSError) -> Endpoint {
        describe(Service.self)
        return try endpoint(.server, name, type: Service.ros2TypeName, hash: Service.ros2TypeHash, quality: quality)
    }
}

/// How many requests of a server are being executed.
private final class RunningRequests: Sendable {
    private let count = Mutex(0)

    func begin(atMost most: Int) -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }

    func end() { count.withLock { $0 -= 1 } }
}
