/// The host, port and user of an SSH log-in.
public struct SSHEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The host's name or address.
    public var host: String
    /// The TCP port of its SSH server.
    public var port: UInt16
    /// The user to log in as.
    public var user: String
    /// A local port to connect to instead, of a relay to the host. The host key is checked under the host's own name.
    public var relayPort: UInt16?

    /// The host, port and user of an SSH log-in.
    public init(host: String, port: UInt16 = 22, user: String) {
        self.host = host
        self.port = port
        self.user = user
    }

    /// `user@host`, with the port when it is not 22.
    public var description: String { port == 22 ? "\(user)@\(host)" : "\(user)@\(host) port \(port)" }

    /// The host as `ssh` and `known_hosts` write it: `[host]:port` when the port is not 22.
    public var knownHostsName: String {
        let name = host.lowercased()
        return port == 22 ? name : "[\(name)]:\(port)"
    }
}
