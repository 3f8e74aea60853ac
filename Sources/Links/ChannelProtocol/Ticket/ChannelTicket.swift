internal import UAVLink

/// A session's id: random, sent in clear in every frame, so that the companion can select the key.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// The 64 bits.
    public let value: UInt64

    /// The session with that id.
    public init(_ value: UInt64) { self.value = value }

    /// 16 hexadecimal digits.
    public var description: String { Hexadecimal.text(value) }
}

/// What the companion issues to one ground, once, over SSH: the ports of the channel and the key of the session.
///
/// The key is held in locked memory, wiped when the last copy of the ticket is released, and exposed only by ``line``, which is
/// wiped as well. docs/channel.md says which parts of its way cannot be.
public struct ChannelTicket: Sendable, CustomStringConvertible {
    /// The session that the ticket opens.
    public let session: SessionID
    /// The companion's UDP port; 0 when it has none.
    public let udpPort: UInt16
    /// The companion's TCP port; 0 when it has none.
    public let tcpPort: UInt16
    /// The companion's protocol version.
    public let version: UInt16
    /// The vehicle's name, for example `uav1`.
    public let vehicle: String
    /// The version of the companion's program; `nil` when the ticket does not have it.
    public let program: String?
    package let key: SecretKey

    package init(
        session: SessionID, key: SecretKey, udpPort: UInt16, tcpPort: UInt16, version: UInt16 = channelProtocolVersion,
        vehicle: String, program: String? = nil
    ) {
        self.session = session
        self.key = key
        self.udpPort = udpPort
        self.tcpPort = tcpPort
        self.version = version
        self.vehicle = vehicle
        self.program = program
    }

    /// The same ticket with other ports, to reach the companion through relays or tunnels.
    public func through(udpPort: UInt16, tcpPort: UInt16) -> ChannelTicket {
        ChannelTicket(
            session: session, key: key, udpPort: udpPort, tcpPort: tcpPort, version: version, vehicle: vehicle,
            program: program)
    }

    /// Everything but the key.
    public var description: String {
        "ticket \(session) for \(vehicle.sanitizedLine), udp \(udpPort), tcp \(tcpPort), version \(version)"
    }
}
