/// The host, port and user of an SSH log-in.
package struct SSHEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The host's name or address.
    package var host: String
    /// The TCP port of its SSH server.
    package var port: UInt16
    /// The user to log in as.
    package var user: String
    /// A port of this computer to connect to instead, of a relay to the host. The host key is checked under the host's own name.
    package var relayPort: UInt16?
    /// The numeric address at which ``relayPort`` is.
    package var relayHost = "127.0.0.1"

    /// The host, port and user of an SSH log-in.
    package init(host: String, port: UInt16 = 22, user: String) {
        self.host = host
        self.port = port
        self.user = user
    }

    /// `user@host`, with the port when it is not 22.
    package var description: String { port == 22 ? "\(user)@\(host)" : "\(user)@\(host) port \(port)" }

    /// The host as `ssh` and `known_hosts` write it: `[host]:port` when the port is not 22.
    package var knownHostsName: String {
        let name = host.lowercased()
        return port == 22 ? name : "[\(name)]:\(port)"
    }
}
