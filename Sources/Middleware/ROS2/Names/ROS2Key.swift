/// The key of a topic or a service in Zenoh, as `rmw_zenoh` makes it: domain, name, type, hash.
///
/// A key with another hash is another key: who uses it hears nothing, and is told nothing.
public struct ROS2Key: Hashable, Sendable, CustomStringConvertible {
    /// The domain; 0 unless `ROS_DOMAIN_ID` is set.
    public let domain: UInt32
    /// The topic or service.
    public let name: ROS2Name
    /// `package::msg::dds_::Name_`; of a service that of the service, not that of its request.
    public let type: String
    /// `RIHS01_...`, or what stands there for a node that has no hashes.
    public let hash: String

    /// The key of a topic or service with a type of ours.
    public init(domain: UInt32, name: ROS2Name, type: ROS2TypeName, hash: TypeHash) {
        self.init(domain: domain, name: name, type: type.ddsName, hash: hash.text)
    }

    /// The key of a topic or service whose type is one that was read in a token.
    public init(domain: UInt32, name: ROS2Name, type: EndpointType) {
        self.init(domain: domain, name: name, type: type.name, hash: type.hash)
    }

    private init(domain: UInt32, name: ROS2Name, type: String, hash: String) {
        self.domain = domain
        self.name = name
        self.type = type
        self.hash = hash
    }

    /// Parses the key of a publication or a query; `nil` when it is none of ROS.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 4, let domain = UInt32(parts[0]), !parts[parts.count - 1].isEmpty,
            let name = try? ROS2Name("/" + parts[1..<parts.count - 2].joined(separator: "/")),
            ROS2TypeName(dds: String(parts[parts.count - 2])) != nil
        else { return nil }
        self.init(
            domain: domain, name: name, type: String(parts[parts.count - 2]), hash: String(parts[parts.count - 1]))
    }

    /// The key.
    public var text: String { "\(domain)\(name.text)/\(type)/\(hash)" }

    /// The key.
    public var description: String { text }
}
