internal import ReportKit

/// A computer as seen from itself: its network interface towards another computer, its clock, its SSH.
///
/// The same script runs at both ends; it is read-only, and skips what is not installed.
package struct HostReport: Hashable, Sendable {
    /// The network interface towards the other computer.
    package var interface: String?
    /// Its maximum packet size (MTU), bytes.
    package var packetBytes: Int?
    /// Whether it is wireless.
    package var isWireless = false
    /// Whether the radio sleeps between beacons; `nil` if unknown.
    package var savesPower: Bool?
    /// Whether the clock is synchronised; `nil` if unknown.
    package var hasSynchronisedClock: Bool?
    /// Whether a time service is enabled; `nil` if unknown.
    package var synchronises: Bool?
    /// The version of OpenSSH's client, `(9, 2)`; `nil` if there is none.
    package var openSSH: (major: Int, minor: Int)? {
        get { openSSHNumbers.map { ($0[0], $0[1]) } }
        set { openSSHNumbers = newValue.map { [$0.major, $0.minor] } }
    }
    /// `ObscureKeystrokeTiming` of OpenSSH's configuration for that host.
    package var obscuresKeystrokes: Bool?
    private var openSSHNumbers: [Int]?

    /// Maximum output that is parsed, bytes: more than these programs print.
    private static let maximumBytes = 16_384

    /// Parses the output of the script; unknown lines are ignored.
    package init(_ printed: String) {
        for line in String(decoding: printed.utf8.prefix(Self.maximumBytes), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
            guard words.count == 2 else { continue }
            take(words[0], words[1].trimmed)
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        func truth(_ yes: String, _ no: String) -> Bool? { value == yes ? true : value == no ? false : nil }
        switch name {
        case "device": interface = Self.isInterface(value) ? value : nil
        case "mtu": packetBytes = Int(value).flatMap { (68...16_777_216).contains($0) ? $0 : nil }
        case "wireless": isWireless = true
        case "power_save": savesPower = truth("on", "off")
        case "ntp_synchronized": hasSynchronisedClock = truth("yes", "no")
        case "ntp": synchronises = truth("yes", "no")
        case "ssh": openSSH = Self.version(value)
        case "keystrokes": obscuresKeystrokes = !["no", "false"].contains(value.lowercased())
        default: break
        }
    }

    /// Whether a name can be a network interface, so that it is safe in a command: Linux allows at most 15 characters.
    static func isInterface(_ name: String) -> Bool {
        guard (1...15).contains(name.utf8.count), name.utf8.first != UInt8(ascii: "-") else { return false }
        return name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x40].contains(byte)
        }
    }

    /// Parses `OpenSSH_9.2p1 Debian-2` as 9.2.
    static func version(_ text: String) -> (major: Int, minor: Int)? {
        guard text.hasPrefix("OpenSSH_") else { return nil }
        let numbers = text.dropFirst("OpenSSH_".count).prefix { $0.isNumber || $0 == "." }.split(separator: ".")
            .prefix(2)
            .compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy((0..<1000).contains) else { return nil }
        return (numbers[0], numbers[1])
    }
}
