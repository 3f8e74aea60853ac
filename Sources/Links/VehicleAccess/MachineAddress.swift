/// The address of a machine that is reached by its own protocol, without a companion: `tello://192.168.10.1`, with a port if
/// it is not the usual one.
///
/// It stands where a link is named: on the command line and in profiles.
package struct MachineAddress: Hashable, Sendable {
    /// What machine it is; the raw values are the words in front of `://`.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Parrot AR.Drone 2, over UDP.
        case ardrone
        /// DJI Tello, over UDP.
        case tello
        /// A robot behind a DFRobot Bluno, over USB serial or Bluetooth LE: `bluno:///dev/ttyACM0`, `bluno://AA:BB:CC:DD:EE:FF`,
        /// `bluno://scan`.
        case bluno

        /// Whether the address has the path of a device in the place of a host and a port.
        var isDevice: Bool { self == .bluno }
    }

    /// What machine it is.
    package var kind: Kind
    /// Its name or IPv4 address; for one that is no host the absolute path of its device, its Bluetooth address in upper case, or
    /// ``scan``.
    package var host: String
    /// Its port; `nil` for the usual one of its kind.
    package var port: UInt16?

    /// The longest host name, bytes.
    private static let longestHost = 255
    private static let separator = "://"
    /// In the place of a board's address: the only one in range.
    private static let scan = "scan"

    /// How a board is reached.
    package enum Board: Hashable, Sendable {
        /// Over the serial port with that path.
        case port(String)
        /// Over Bluetooth LE; `nil` for the only one in range.
        case bluetooth(String?)
    }

    /// How a machine is reached that is no host; `nil` for one that is.
    package var board: Board? {
        guard kind.isDevice else { return nil }
        if host == Self.scan { return .bluetooth(nil) }
        return host.hasPrefix("/") ? .port(host) : .bluetooth(host)
    }

    /// Reads an address; `nil` for anything else, and for a kind of machine that is not known.
    package init?(_ text: String) {
        guard let kind = Kind.allCases.first(where: { text.hasPrefix($0.rawValue + Self.separator) }) else {
            return nil
        }
        let rest = text.dropFirst(kind.rawValue.count + Self.separator.count)
        if kind.isDevice {
            let isBluetooth = Self.isBluetooth(rest)
            guard isBluetooth || rest == Self.scan || Self.isDevice(rest) else { return nil }
            (self.kind, host) = (kind, isBluetooth ? rest.uppercased() : String(rest))
            return
        }
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
        return text.utf8.allSatisfy(isHostByte)
    }

    /// An absolute path of letters, digits and `-._`, without folders that begin with a point.
    private static func isDevice(_ path: Substring) -> Bool {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count > 1, names[0].isEmpty, path.utf8.count <= longestHost else { return false }
        return names.dropFirst().allSatisfy { name in
            !name.isEmpty && !name.hasPrefix(".")
                && name.utf8.allSatisfy { isHostByte($0) || $0 == UInt8(ascii: "_") }
        }
    }

    /// Six bytes in hexadecimal, with colons.
    private static func isBluetooth(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 6
            && parts.allSatisfy { part in
                part.utf8.count == 2
                    && part.utf8.allSatisfy {
                        (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
                    }
            }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// The address as it is written.
    package var text: String { kind.rawValue + Self.separator + host + (port.map { ":\($0)" } ?? "") }

    /// How addresses are written, for messages and help: `tello://HOST`.
    package static var patterns: String {
        Kind.allCases.flatMap { kind in
            (kind.isDevice ? ["/dev/PORT", "AA:BB:CC:DD:EE:FF", scan] : ["HOST"]).map { kind.rawValue + separator + $0 }
        }.joined(separator: ", ")
    }
}
