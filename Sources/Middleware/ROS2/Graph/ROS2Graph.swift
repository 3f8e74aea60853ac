public import ROSMessages

/// What is in a domain, from its liveliness tokens: nodes, topics, services, who publishes, subscribes, offers and calls them.
public struct ROS2Graph: Sendable {
    /// The most tokens that are kept: a fleet of twenty MRS vehicles has about 20,000.
    public static let maximumTokens = 100_000

    /// The domain.
    public let domain: UInt32
    /// How many tokens could not be parsed, or were too many.
    public private(set) var malformed = 0
    /// Why the last of these could not.
    public private(set) var lastError: ROSError?

    private var tokens: [String: LivelinessToken] = [:]
    /// The texts of the tokens of endpoints by name, so that asking for one topic does not look at all.
    private var endpoints: [ROS2Name: Set<String>] = [:]

    /// Creates an empty graph.
    public init(domain: UInt32 = 0) { self.domain = domain }

    /// The number of tokens.
    public var count: Int { tokens.count }

    /// A token was declared. One that is known already, or of another domain, changes nothing.
    ///
    /// - Returns: the token when it is new.
    @discardableResult public mutating func insert(_ text: String) -> LivelinessToken? {
        guard tokens[text] == nil else { return nil }
        do throws(ROSError) {
            let token = try LivelinessToken(text)
            guard token.domain == domain else { return nil }
            guard tokens.count < Self.maximumTokens else {
                throw ROSError(.tooLarge, "there are more than \(Self.maximumTokens) liveliness tokens")
            }
            tokens[text] = token
            if let endpoint = token.endpoint { endpoints[endpoint.name, default: []].insert(text) }
            return token
        } catch {
            malformed += malformed < .max ? 1 : 0
            lastError = error
            return nil
        }
    }

    /// A token was taken back.
    ///
    /// - Returns: the token when it was known.
    @discardableResult public mutating func remove(_ text: String) -> LivelinessToken? {
        guard let token = tokens.removeValue(forKey: text) else { return nil }
        if let name = token.endpoint?.name {
            endpoints[name]?.remove(text)
            if endpoints[name]?.isEmpty == true { endpoints[name] = nil }
        }
        return token
    }

    /// The session ended: nothing is known any more.
    public mutating func removeAll() {
        tokens = [:]
        endpoints = [:]
    }

    /// The nodes, each once, by name.
    public var nodes: [ROS2NodeName] { Set(tokens.values.lazy.map(\.node)).sorted() }

    /// The endpoints of a topic or service with this role, by node.
    public func endpoints(_ role: LivelinessToken.Role, of name: ROS2Name) -> [LivelinessToken] {
        (endpoints[name] ?? []).compactMap { tokens[$0] }.filter { $0.endpoint?.role == role }
            .sorted { ($0.node.text, $0.entityID, $0.session) < ($1.node.text, $1.entityID, $1.session) }
    }

    /// The endpoints of a node.
    public func endpoints(of node: ROS2NodeName) -> [LivelinessToken] {
        tokens.values.filter { $0.node == node && $0.endpoint != nil }.sorted { $0.text < $1.text }
    }

    /// All topics that are published or subscribed, with the types that are seen there.
    public var topics: [ROS2Name: Set<EndpointType>] { names(of: [.publisher, .subscriber]) }

    /// All services that are offered, with the types that are seen there.
    public var services: [ROS2Name: Set<EndpointType>] { names(of: [.server]) }

    private func names(of roles: Set<LivelinessToken.Role>) -> [ROS2Name: Set<EndpointType>] {
        var found: [ROS2Name: Set<EndpointType>] = [:]
        for case let endpoint? in tokens.values.lazy.map(\.endpoint) where roles.contains(endpoint.role) {
            found[endpoint.name, default: []].insert(endpoint.type)
        }
        return found
    }

    /// Whether a type of ours is what the others use on a topic or service.
    public enum Agreement: Hashable, Sendable {
        /// No endpoint of that role is known.
        case absent
        /// All have our type and its hash.
        case agrees
        /// At least one has another type or another hash; it would hear nothing of ours, and we nothing of it.
        case differs([EndpointType])
    }

    /// Compares a type of ours with that of the endpoints of a topic or service.
    public func agreement(
        on name: ROS2Name, _ role: LivelinessToken.Role, type: EndpointType
    ) -> Agreement {
        let types = Set(
            (endpoints[name] ?? []).compactMap { tokens[$0]?.endpoint }.filter { $0.role == role }.map(\.type))
        guard !types.isEmpty else { return .absent }
        let others = types.subtracting([type])
        return others.isEmpty ? .agrees : .differs(others.sorted { ($0.name, $0.hash) < ($1.name, $1.hash) })
    }
}
