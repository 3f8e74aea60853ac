/// The address of a machine that is reached by its own protocol, without a companion: `tello://192.168.10.1`, with a port if
/// it is not the usual one.
///
/// It stands where a link is named: on the command line and in profiles.
package struct MachineAddress: Hashable, Sendable {
    /// What machine it is; the raw values are the words in front of `://`.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// DJI Tello, over UDP.
        case tello
    }

    /// What machine it is.
    package var kind: Kind
    /// Its name or IPv4 address.
    package var host: String
    /// Its port; `nil` for the usual one of its kind.
    package var port: UInt16?

    /// The longest host name, bytes.
    private static let longestHost = 255
    private static let separator = "://"

    /// Reads an address; `nil` for anything else, and for a kind of machine that is not known.
    package init?(_ text: String) {
        guard let kind = Kind.allCases.first(where: { text.hasPrefix($0.rawValue + Self.separator) }) else {
            return nil
        }
        let rest = text.dropFirst(kind.rawValue.count + Self.separator.count)
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), Self.isHost(parts[0]) else { return nil }
        self.kind = kind
        host = String(parts[0])
        guard parts.count == 2 else { return }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(parts[1]),
            port > 0
        else { return nil }
        self.port = port
    }

    /// A host of a URL: nothing that a resolver, a terminal or a YAML file could take for something else.
    private static func isHost(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "."),
            text.utf8.count <= longestHost
        else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    /// The address as it is written.
    package var text: String { kind.rawValue + Self.separator + host + (port.map { ":\($0)" } ?? "") }

    /// How addresses are written, for messages and help: `tello://HOST`.
    package static var patterns: String {
        Kind.allCases.map { "\($0.rawValue)\(separator)HOST" }.joined(separator: ", ")
    }
}
