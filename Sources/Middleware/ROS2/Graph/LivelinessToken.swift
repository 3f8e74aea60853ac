public import ROSMessages

/// The type of an endpoint as its token names it. A vehicle may have types that we do not know, and names that no tool would
/// make: both are kept as they are.
public struct EndpointType: Hashable, Sendable {
    /// `package::msg::dds_::Name_`.
    public let name: String
    /// `RIHS01_...`; `TypeHashNotSupported` for nodes before Iron.
    public let hash: String

    /// A type of ours.
    public init(_ type: ROS2TypeName, _ hash: TypeHash) {
        name = type.ddsName
        self.hash = hash.text
    }

    init(name: String, hash: String) {
        self.name = name
        self.hash = hash
    }

    /// The type's name; `nil` when it is none of ROS 2.
    public var typeName: ROS2TypeName? { ROS2TypeName(dds: name) }
    /// The hash; `nil` when it is none that we know.
    public var typeHash: TypeHash? { TypeHash(hash) }
}

/// A liveliness token of `rmw_zenoh`: by these, nodes and what they publish, subscribe, offer and call are seen.
public struct LivelinessToken: Hashable, Sendable {
    /// The longest token that is read, bytes; two names and a type make the longest ones.
    public static let maximumLength = 2048

    /// What an endpoint does.
    public enum Role: String, Sendable, CaseIterable {
        /// Publishes a topic.
        case publisher = "MP"
        /// Subscribes a topic.
        case subscriber = "MS"
        /// Offers a service.
        case server = "SS"
        /// Calls a service.
        case client = "SC"
    }

    /// An endpoint of a node.
    public struct Endpoint: Hashable, Sendable {
        /// What it does.
        public let role: Role
        /// The topic or service.
        public let name: ROS2Name
        /// The type, and its hash.
        public let type: EndpointType
        /// The quality of service.
        public let quality: QualityOfService

        /// Creates an endpoint.
        public init(role: Role, name: ROS2Name, type: EndpointType, quality: QualityOfService) {
            self.role = role
            self.name = name
            self.type = type
            self.quality = quality
        }
    }

    /// The domain.
    public let domain: UInt32
    /// The Zenoh session, hexadecimal.
    public let session: String
    /// The node's number in its session.
    public let nodeID: String
    /// The endpoint's number in its session; that of a node is the node's.
    public let entityID: String
    /// The node's security enclave; usually `/`.
    public let enclave: String
    /// The node.
    public let node: ROS2NodeName
    /// The endpoint; `nil` in the token of the node itself.
    public let endpoint: Endpoint?

    private static let space = "@ros2_lv"
    private static let nodeKind = "NN"

    /// The key expression of all tokens of a domain.
    public static func all(domain: UInt32) -> String { "\(space)/\(domain)/**" }

    /// The token of a node of ours.
    ///
    /// - Parameter session: the id of the Zenoh session: 1 to 16 bytes, low byte first.
    public init(domain: UInt32, session: [UInt8], nodeID: UInt64, node: ROS2NodeName) {
        self.init(
            domain: domain, session: Self.text(ofSession: session), nodeID: "\(nodeID)", entityID: "\(nodeID)",
            enclave: "/", node: node, endpoint: nil)
    }

    /// The token of an endpoint of a node of ours.
    ///
    /// - Parameter id: the endpoint's number, which nothing else in the session has.
    public init(of endpoint: Endpoint, id: UInt64, node: LivelinessToken) {
        self.init(
            domain: node.domain, session: node.session, nodeID: node.nodeID, entityID: "\(id)", enclave: node.enclave,
            node: node.node, endpoint: endpoint)
    }

    private init(
        domain: UInt32, session: String, nodeID: String, entityID: String, enclave: String, node: ROS2NodeName,
        endpoint: Endpoint?
    ) {
        self.domain = domain
        self.session = session
        self.nodeID = nodeID
        self.entityID = entityID
        self.enclave = enclave
        self.node = node
        self.endpoint = endpoint
    }

    /// Parses a token. Parts behind the known ones are ignored: later versions may add some.
    ///
    /// - Throws: `ROSError` with `protocolViolation`.
    public init(_ text: String) throws(ROSError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw ROSError(
                .tooLarge, "a liveliness token of \(text.utf8.count) bytes is longer than \(Self.maximumLength)")
        }
        func malformed(_ what: String) -> ROSError {
            ROSError(.protocolViolation, "the liveliness token '\(text)' \(what)")
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 9, parts.allSatisfy({ !$0.isEmpty }) else { throw malformed("has too few parts") }
        guard parts[0] == Self.space, let domain = UInt32(parts[1]) else { throw malformed("has no domain") }
        guard let node = try? ROS2NodeName(namespace: Self.plain(parts[7]), name: parts[8]) else {
            throw malformed("does not name a node")
        }
        var endpoint: Endpoint?
        if parts[5] != Self.nodeKind {
            guard let role = Role(rawValue: parts[5]) else { throw malformed("is of an unknown kind") }
            guard parts.count >= 13 else { throw malformed("has too few parts for an endpoint") }
            guard let name = try? ROS2Name(Self.plain(parts[9])) else {
                throw malformed("does not name a topic or service")
            }
            guard let quality = QualityOfService(parts[12]) else { throw malformed("has no quality of service") }
            endpoint = Endpoint(
                role: role, name: name, type: EndpointType(name: Self.plain(parts[10]), hash: Self.plain(parts[11])),
                quality: quality)
        }
        self.init(
            domain: domain, session: parts[2], nodeID: parts[3], entityID: parts[4], enclave: Self.plain(parts[6]),
            node: node, endpoint: endpoint)
    }

    /// The key expression of the token.
    public var text: String {
        var parts = [
            Self.space, "\(domain)", session, nodeID, entityID, endpoint?.role.rawValue ?? Self.nodeKind,
            Self.mangled(enclave), Self.mangled(node.namespace), node.name,
        ]
        if let endpoint {
            parts += [
                Self.mangled(endpoint.name.text), Self.mangled(endpoint.type.name), Self.mangled(endpoint.type.hash),
                endpoint.quality.text,
            ]
        }
        return parts.joined(separator: "/")
    }

    /// The key of what the endpoint publishes, subscribes, offers or calls; `nil` for a node.
    public var key: ROS2Key? { endpoint.map { ROS2Key(domain: domain, name: $0.name, type: $0.type) } }

    private static func mangled(_ name: String) -> String { String(name.map { $0 == "/" ? "%" : $0 }) }
    private static func plain(_ name: String) -> String { String(name.map { $0 == "%" ? "/" : $0 }) }

    /// As Zenoh writes it: one number, the highest byte first, without leading zeros.
    private static func text(ofSession bytes: [UInt8]) -> String {
        let digits = bytes.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let significant = digits.drop { $0 == "0" }
        return significant.isEmpty ? "0" : String(significant)
    }
}
