internal import ROSMessages

/// The address of a node or a service: `http://host:port/` or `rosrpc://host:port`.
struct ROSURI: Hashable, Sendable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: UInt16

    /// Parses an address; host and port are required, a path is ignored.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidConfiguration``.
    init(_ text: String, scheme: String) throws(ROSError) {
        let prefix = scheme + "://"
        let rest = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : ""
        let authority = rest.prefix { $0 != "/" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count <= 1024, parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0,
            parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw ROSError(
                .invalidConfiguration, "'\(text)' is not an address of the form \(prefix)host:port",
                hint: scheme == "http" ? "the ROS master's usual one is http://localhost:11311" : "")
        }
        self.scheme = scheme
        host = String(parts[0])
        self.port = port
    }

    var description: String { "\(scheme)://\(host):\(port)" }
}
