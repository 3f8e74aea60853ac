public import ROS2
internal import ROSMessages
internal import Synchronization
internal import Zenoh

/// A node of a ROS 2 graph: what it publishes, subscribes, offers and calls is seen under its name.
///
/// Its endpoints keep the node, and the session, alive.
public final class ROS2Node: Sendable {
    /// The name and namespace.
    public let name: ROS2NodeName
    /// The session.
    public let session: ROS2Session
    let token: LivelinessToken
    private let declaration: ZenohDeclaration
    /// What `get_type_description` answers, by the name of the type.
    let descriptions = Mutex<[String: DescribedType]>([:])

    init(_ name: ROS2NodeName, session: ROS2Session) throws(ROSError) {
        self.name = name
        self.session = session
        let token = LivelinessToken(
            domain: session.domain, session: session.zenoh.id.bytes, nodeID: session.state.takeEntity(), node: name)
        self.token = token
        declaration = try throwingROSError { () throws(ZenohError) in
            try session.zenoh.declareToken(token.text)
        }
    }

    /// An endpoint of this node, not declared yet.
    func endpoint(
        _ role: LivelinessToken.Role, _ name: String, type: String, hash: TypeHash, quality: QualityOfService
    ) throws(ROSError) -> Endpoint {
        let name = try ROS2Name(name, node: self.name)
        guard let typeName = ROS2TypeName(type) else {
            throw ROSError(.invalidName, "'\(type)' is not the name of a type in ROS 2")
        }
        let number = session.state.takeEntity()
        let endpoint = LivelinessToken.Endpoint(
            role: role, name: name, type: EndpointType(typeName, hash), quality: quality)
        let token = LivelinessToken(of: endpoint, id: number, node: token)
        return Endpoint(
            name: name, type: endpoint.type, number: number, token: token,
            key: ROS2Key(domain: session.domain, name: name, type: typeName, hash: hash).text)
    }
}

/// A publisher, subscription, client or server: its names.
struct Endpoint: Sendable {
    let name: ROS2Name
    let type: EndpointType
    /// Its number in the session.
    let number: UInt64
    let token: LivelinessToken
    /// The key in Zenoh.
    let key: String

    /// Makes it visible.
    func declare(in session: ROS2Session) throws(ROSError) -> ZenohDeclaration {
        try throwingROSError { () throws(ZenohError) in try session.zenoh.declareToken(token.text) }
    }
}

/// A type that an endpoint of a node has.
struct DescribedType: Sendable {
    let hash: TypeHash
    let describe: @Sendable () throws(InterfaceError) -> TypeDescription
}
