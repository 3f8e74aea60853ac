public import ROSMessages
internal import SystemIO
internal import XMLRPC

/// A client of the ROS master's API and of the slave API of nodes: every call has a timeout and can be cancelled.
///
/// A node has one (``ROSNode/master``); a program that only queries creates its own, which costs one thread.
public final class ROSMaster: Sendable {
    /// The master's address, `http://host:port`.
    public let uri: String
    /// The caller id sent with every call.
    public let callerID: String
    private let server: ROSURI
    private let loop: EventLoop
    private let ownsLoop: Bool

    /// The state of the graph: each name with its nodes.
    public struct SystemState: Hashable, Sendable {
        /// Topics and their publishers.
        public var publishers: [String: [String]] = [:]
        /// Topics and their subscribers.
        public var subscribers: [String: [String]] = [:]
        /// Services and their providers.
        public var services: [String: [String]] = [:]
    }

    /// Creates a client for a program without a node.
    ///
    /// - Throws: ``ROSError`` when the URI is invalid or the system refuses a thread.
    public init(uri: String, callerID: String = "/uavlink") throws(ROSError) {
        self.uri = uri
        self.callerID = callerID
        server = try ROSURI(uri, scheme: "http")
        ownsLoop = true
        do throws(SocketError) {
            loop = try EventLoop()
            try loop.start()
        } catch { throw ROSError(error) }
    }

    init(server: ROSURI, uri: String, callerID: String, loop: EventLoop) {
        self.server = server
        self.uri = uri
        self.callerID = callerID
        self.loop = loop
        ownsLoop = false
    }

    deinit { if ownsLoop { loop.stop() } }

    // MARK: Queries

    /// The master's process id.
    public func pid(within timeout: Duration = defaultTimeout) async throws(ROSError) -> Int {
        try await ask("getPid", within: timeout).expect(\.intValue, "getPid")
    }

    /// The master's own address as it reports it.
    public func ownURI(within timeout: Duration = defaultTimeout) async throws(ROSError) -> String {
        try await ask("getUri", within: timeout).expect(\.stringValue, "getUri")
    }

    /// The address of a node's slave API.
    public func nodeURI(of node: String, within timeout: Duration = defaultTimeout) async throws(ROSError) -> String {
        try await ask("lookupNode", [.string(node)], within: timeout).expect(\.stringValue, "lookupNode")
    }

    /// The address of a service, `rosrpc://host:port`.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/noProvider`` when no node offers it.
    public func serviceURI(of service: String, within timeout: Duration = defaultTimeout) async throws(ROSError)
        -> String
    {
        do {
            return try await ask("lookupService", [.string(service)], within: timeout)
                .expect(\.stringValue, "lookupService")
        } catch  where error.code == .refused { throw Self.noProvider(service) }
    }

    /// The types of the published topics.
    public func publishedTopics(below prefix: String = "", within timeout: Duration = defaultTimeout)
        async throws(ROSError) -> [String: String]
    {
        try Self.types(await ask("getPublishedTopics", [.string(prefix)], within: timeout))
    }

    /// The publishers, subscribers and services of the graph.
    public func systemState(within timeout: Duration = defaultTimeout) async throws(ROSError) -> SystemState {
        let answer = try await ask("getSystemState", within: timeout)
        guard let parts = answer.arrayValue, parts.count == 3 else { throw Self.odd("getSystemState") }
        return SystemState(
            publishers: try Self.names(parts[0]), subscribers: try Self.names(parts[1]),
            services: try Self.names(parts[2]))
    }

    /// The process id of the node whose API is at `uri`; tests whether that node can be reached.
    public func pid(ofNodeAt uri: String, within timeout: Duration = defaultTimeout) async throws(ROSError) -> Int {
        let peer = try ROSURI(uri, scheme: "http")
        return try await ask(peer, "getPid", [], within: timeout).expect(\.intValue, "getPid")
    }

    /// The default timeout of a call: the master answers within milliseconds, over a bad radio link within a second or two.
    public static let defaultTimeout: Duration = .seconds(5)

    // MARK: Implementation

    func ask(_ method: String, _ parameters: [XMLRPCValue] = [], within timeout: Duration) async throws(ROSError)
        -> XMLRPCValue
    {
        try await ask(server, method, parameters, within: timeout)
    }

    private func ask(
        _ peer: ROSURI, _ method: String, _ parameters: [XMLRPCValue], within timeout: Duration
    ) async throws(ROSError) -> XMLRPCValue {
        let call = XMLRPCCall(method, [.string(callerID)] + parameters)
        let deadline = ContinuousClock.now + timeout
        let answer = Answer<XMLRPCValue>()
        let isMaster = peer == server
        let submitted = loop.submit { core in
            let connection = XMLRPCClientConnection(server: peer, closesWhenIdle: true)
            core.add(connection)
            connection.ask(call, until: deadline, on: core) { result, _ in
                answer.settle(Self.value(of: result, from: peer, isMaster: isMaster))
            }
        }
        guard submitted else { throw ROSError(.closed, "the node was shut down") }
        return try await answer.value()
    }

    static func value(
        of result: Result<XMLRPCResponse, ROSError>, from peer: ROSURI, isMaster: Bool
    ) -> Result<XMLRPCValue, ROSError> {
        Result { () throws(ROSError) in
            switch result {
            case .success(let response):
                return try MasterResponse.value(of: response, from: isMaster ? "the ROS master" : "\(peer)")
            case .failure(let error): throw isMaster ? explained(error, peer) : error
            }
        }
    }

    /// Explains a failed call to the master to the user.
    static func explained(_ error: ROSError, _ master: ROSURI) -> ROSError {
        switch error.code {
        case .unreachable, .connectionLost:
            let reason = error.what.split(separator: "(").last.map { $0.prefix { $0 != ")" } } ?? ""
            return ROSError(
                .masterUnreachable, "cannot reach the ROS master at \(master) (\(reason))",
                hint: "is roscore running on the vehicle?")
        case .timedOut:
            return ROSError(
                .timedOut, "the ROS master at \(master) did not answer in time",
                hint: "is ROS_MASTER_URI right, and can this machine reach it?")
        default: return error
        }
    }

    static func noProvider(_ service: String) -> ROSError {
        ROSError(
            .noProvider, "no node offers the service \(service)", hint: "is the node that should offer it running?")
    }

    private static func odd(_ method: String) -> ROSError {
        ROSError(.protocolViolation, "unexpected answer to \(method)")
    }

    private static func types(_ answer: XMLRPCValue) throws(ROSError) -> [String: String] {
        var types: [String: String] = [:]
        for pair in answer.arrayValue ?? [] {
            guard let parts = pair.stringsValue, parts.count == 2 else { throw odd("a query of topics") }
            types[parts[0]] = parts[1]
        }
        return types
    }

    private static func names(_ answer: XMLRPCValue) throws(ROSError) -> [String: [String]] {
        var names: [String: [String]] = [:]
        for pair in answer.arrayValue ?? [] {
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let nodes = parts[1].stringsValue
            else { throw odd("getSystemState") }
            names[name] = nodes
        }
        return names
    }
}

extension XMLRPCValue {
    /// Extracts a value of the expected type from an answer.
    func expect<Value>(_ part: KeyPath<XMLRPCValue, Value?>, _ method: String) throws(ROSError) -> Value {
        guard let value = self[keyPath: part] else {
            throw ROSError(.protocolViolation, "unexpected answer to \(method): \(kind)")
        }
        return value
    }
}
