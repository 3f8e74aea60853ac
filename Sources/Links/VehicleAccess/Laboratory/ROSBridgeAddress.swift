/// Where a rosbridge server listens: `rosbridge://HOST[:PORT]`.
package struct ROSBridgeAddress: Hashable, Sendable {
    /// Its name or IPv4 address.
    package var host: String
    /// Its port.
    package var port: UInt16

    /// How addresses begin.
    package static let prefix = "rosbridge://"
    /// The port of rosbridge unless it was started with another.
    package static let usualPort: UInt16 = 9090
    /// The longest host name, bytes.
    private static let longestHost = 255

    /// Reads an address; `nil` for anything else: a path, a user or a password have no place in it.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        var rest = text.dropFirst(Self.prefix.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), Self.isHost(parts[0]) else { return nil }
        host = String(parts[0])
        port = Self.usualPort
        guard parts.count == 2 else { return }
        guard parts[1].utf8.count <= 5, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(parts[1]), port > 0
        else { return nil }
        self.port = port
    }

    private static func isHost(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "."),
            text.utf8.count <= longestHost
        else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        }
    }

    /// `HOST:PORT`.
    package var place: String { "\(host):\(port)" }
    /// The address as it is written.
    package var text: String { Self.prefix + place }
}
