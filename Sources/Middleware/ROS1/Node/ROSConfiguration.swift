#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a node needs to know before it can take part in a graph.
public struct ROSConfiguration: Sendable {
    /// The node's name and how names are resolved.
    public var names: NameResolver
    /// The master's address, `http://host:port`.
    public var masterURI: String
    /// The host name or address that other nodes are told to find this one at.
    public var host: String
    /// Parameters below the node's name that are set when the master answers (`_name:=value`).
    public var privateParameters: [String: String]
    /// Whether time comes from `/clock`; `nil` asks the parameter `/use_sim_time`.
    public var usesSimulatedTime: Bool?
    /// The longest message that is taken from a peer, bytes. A dense point cloud has some ten million.
    public var maximumMessageBytes = 64 << 20
    /// A way around that all connections of the node take; for measuring and tests.
    public var detour: ROSDetour?
    /// Takes what the node notices by itself, on the I/O thread; it must return at once.
    public var onEvent: (@Sendable (ROSEvent) -> Void)?

    /// What ROS uses when nothing else is said.
    public static let defaultMasterURI = "http://localhost:11311"

    /// Takes everything from the environment and the arguments, as every ROS program does.
    ///
    /// The host is `__hostname`, `__ip`, `ROS_HOSTNAME` or `ROS_IP`, the first that is given; else the address of the
    /// first interface that is not the loopback.
    ///
    /// - Parameters:
    ///   - name: the node's name unless `__name` gives another.
    ///   - environment: `nil` for the program's own.
    ///   - arguments: of the program, without its own name.
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName`` or ``ROSError/Code/invalidConfiguration``.
    public init(name: String, environment: [String: String]? = nil, arguments: [String] = []) throws(ROSError) {
        func variable(_ key: String) -> String? {
            let value: String?
            if let environment { value = environment[key] } else { value = getenv(key).map { String(cString: $0) } }
            return value?.isEmpty == false ? value : nil
        }
        let said = CommandLineNames(arguments: arguments)
        names = try NameResolver(name: name, namespace: variable("ROS_NAMESPACE"), commandLine: said)
        masterURI = said.masterURI ?? variable("ROS_MASTER_URI") ?? Self.defaultMasterURI
        privateParameters = said.privateParameters
        let given = said.hostname ?? said.ip ?? variable("ROS_HOSTNAME") ?? variable("ROS_IP")
        host = given ?? IPv4Address.ofThisMachine?.description ?? "127.0.0.1"
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") })
        else {
            throw ROSError(
                .invalidConfiguration, "'\(host)' is not a host name or IPv4 address",
                hint: "set ROS_IP to this machine's address as the vehicle sees it")
        }
        _ = try ROSURI(masterURI, scheme: "http")
    }

    /// The master in one spelling: what names this machine is `localhost`, in `localhost:11311`.
    public var masterName: String {
        guard let uri = try? ROSURI(masterURI, scheme: "http") else { return masterURI }
        let host = uri.host.lowercased()
        return "\(["localhost", "127.0.0.1", Self.ownHostName].contains(host) ? "localhost" : host):\(uri.port)"
    }

    private static var ownHostName: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Where to listen: on the loopback alone when nobody else is told of this node anyway.
    var listeningAddress: IPv4Address {
        host == "localhost" || IPv4Address(host)?.isLoopback == true ? .loopback : .any
    }
}
