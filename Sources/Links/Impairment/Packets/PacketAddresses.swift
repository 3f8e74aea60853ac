/// The four octets of an IPv4 address.
struct IPv4Octets: Hashable, Sendable, CustomStringConvertible {
    /// In network order, the first octet the most significant.
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
        value = UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)
    }

    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    var description: String { bytes.map(String.init).joined(separator: ".") }

    static let loopback = Self(127, 0, 0, 1)

    /// Whether it is of 127.0.0.0/8.
    var isLoopback: Bool { value >> 24 == 127 }
}

/// The addresses at one device through which a computer reaches its own services over an impaired network.
///
/// ```
///   client ─▶ far ······ the device: up ······▶ (from: back) service on 127.0.0.1
///   client ◀─ (from: far) ···· down ◀·········· back ◀─ service
/// ```
/// A client connects to ``far``. Its packets leave through the device, and come back through it as those of ``back`` to
/// 127.0.0.1; the service's packets to ``back`` come to the client as those of ``far``. So both ends are the kernel's
/// own, and every packet of either direction passes through here. No list of connections is needed for that.
struct PacketAddresses: Hashable, Sendable {
    /// The device's own.
    let own: IPv4Octets
    /// What clients connect to.
    let far: IPv4Octets
    /// What services see clients as.
    let back: IPv4Octets

    /// The bits of the network of the three.
    static let prefix: UInt32 = 29

    /// Those of a number, from the block that is kept for measurements of networks (198.18.0.0/15, RFC 2544).
    init(number: UInt8) {
        own = IPv4Octets(198, 19, number, 1)
        far = IPv4Octets(198, 19, number, 2)
        back = IPv4Octets(198, 19, number, 3)
    }

    /// Gives a packet the addresses with which it arrives.
    ///
    /// Only what this computer has sent itself is carried. Where it forwards, as one with containers does, others send to these
    /// addresses too, and would reach services that listen on 127.0.0.1 so that nobody else does.
    ///
    /// - Returns: whether it goes up, to the service; `nil` for what is of no connection, and is not changed.
    func translate(_ packet: inout [UInt8]) -> Bool? {
        guard packet.count >= 20, packet[0] >> 4 == 4 else { return nil }
        // The kernel takes no packet of another computer from an address of its own, nor from 127.0.0.0/8.
        let source = Self.address(in: packet, at: 12)
        switch Self.address(in: packet, at: 16) {
        case far where source == own:
            Self.readdress(&packet, from: back, to: .loopback)
            return true
        case back where source == own || source.isLoopback:
            Self.readdress(&packet, from: far, to: own)
            return false
        default: return nil
        }
    }

    private static func address(in packet: [UInt8], at place: Int) -> IPv4Octets {
        IPv4Octets(packet[place], packet[place + 1], packet[place + 2], packet[place + 3])
    }

    private static func readdress(_ packet: inout [UInt8], from source: IPv4Octets, to destination: IPv4Octets) {
        let before = Array(packet[12..<20])
        let after = source.bytes + destination.bytes
        packet.replaceSubrange(12..<20, with: after)
        adjust(&packet, at: 10, before, after)
        let header = Int(packet[0] & 0xF) * 4
        // Only the first fragment has the header that is summed with the addresses.
        let isFirst = packet[6] & 0x1F == 0 && packet[7] == 0
        guard isFirst else { return }
        switch packet[9] {
        case 6: adjust(&packet, at: header + 16, before, after)
        case 17: adjust(&packet, at: header + 6, before, after, isOptional: true)
        default: break
        }
    }

    /// Changes a checksum by what has changed of what it sums (RFC 1624, equation 3).
    ///
    /// - Parameter isOptional: zero is no checksum, as in UDP.
    private static func adjust(
        _ packet: inout [UInt8], at place: Int, _ before: [UInt8], _ after: [UInt8], isOptional: Bool = false
    ) {
        guard place >= 0, place + 2 <= packet.count else { return }
        let old = UInt32(packet[place]) << 8 | UInt32(packet[place + 1])
        if isOptional, old == 0 { return }
        var sum = ~old & 0xFFFF
        for index in stride(from: 0, to: 8, by: 2) {
            sum += ~(UInt32(before[index]) << 8 | UInt32(before[index + 1])) & 0xFFFF
            sum += UInt32(after[index]) << 8 | UInt32(after[index + 1])
        }
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + sum >> 16 }
        var new = ~sum & 0xFFFF
        if isOptional, new == 0 { new = 0xFFFF }
        packet[place] = UInt8(truncatingIfNeeded: new >> 8)
        packet[place + 1] = UInt8(truncatingIfNeeded: new)
    }
}
