public import ROSMessages
internal import SystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The configuration of a node.
public struct ROSConfiguration: Sendable {
    /// The node's name and its rules of name resolution.
    public var names: NameResolver
    /// The master's address, `http://host:port`.
    public var masterURI: String
    /// The host name or address announced to other nodes.
    public var host: String
    /// Private parameters to be set when the master answers (`_name:=value`).
    public var privateParameters: [String: String]
    /// Whether time comes from `/clock`; `nil` reads the parameter `/use_sim_time`.
    public var usesSimulatedTime: Bool?
    /// The largest message accepted from a peer, bytes. A dense point cloud has some 10 MB.
    public var maximumMessageBytes = 64 << 20
    /// Redirects all connections of the node, for measurements and tests.
    public var redirect: ROSRedirect?
    /// Receives the node's events on the I/O thread; must not block.
    public var onEvent: (@Sendable (ROSEvent) -> Void)?

    /// The master's address when none is configured.
    public static let defaultMasterURI = "http://localhost:11311"

    /// Reads the configuration from the environment and the arguments, as ROS programs do.
    ///
    /// The host is the first given of `__hostname`, `__ip`, `ROS_HOSTNAME` and `ROS_IP`, else the address of the first
    /// interface that is not the loopback.
    ///
    /// - Parameters:
    ///   - name: the node's name unless `__name` gives another.
    ///   - environment: the environment variables; `nil` for those of the process.
    ///   - arguments: the command-line arguments without the program's name.
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
        host = given ?? IPv4Address.firstInterface?.description ?? "127.0.0.1"
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") })
        else {
            throw ROSError(
                .invalidConfiguration, "'\(host)' is not a host name or IPv4 address",
                hint: "set ROS_IP to this machine's address as the vehicle sees it")
        }
        _ = try ROSURI(masterURI, scheme: "http")
    }

    /// The master's address in normalized form, such as `localhost:11311`; every name of this machine becomes `localhost`.
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

    /// The address to listen on: the loopback when the announced host is the loopback, else all interfaces.
    var listeningAddress: IPv4Address {
        host == "localhost" || IPv4Address(host)?.isLoopback == true ? .loopback : .any
    }
}
