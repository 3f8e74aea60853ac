public import UAVLink

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
/// The key is held in locked memory, wiped when the last copy of the ticket is released, and exposed only by ``line``.
/// Not wiped: the text of that line, on its way over SSH and through ``init(line:)``.
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

extension ChannelTicket {
    /// The first word of a ticket's line.
    public static let prefix = "uavlink-channel"
    /// The longest line accepted as a ticket, in bytes.
    public static let longestLine = 512

    /// The ticket as one line of text, with its key: only for the SSH channel or a file that one user can read.
    public var line: String {
        let secret = key.withBytes { Hexadecimal.text(UnsafeRawBufferPointer(start: $0, count: SecretKey.size)) }
        let said = program.map { " program=\($0)" } ?? ""
        return "\(Self.prefix) \(version) session=\(session) key=\(secret) udp=\(udpPort) tcp=\(tcpPort) "
            + "vehicle=\(vehicle)\(said)"
    }

    /// Reads a ticket's line; a carriage return or line feed at its end is allowed.
    ///
    /// - Throws: ``LinkError`` with `versionMismatch` for another version's ticket, `protocolViolation` for anything that is not
    ///   a ticket. The error never contains the line, which may hold a key.
    public init(line: String) throws(LinkError) {
        guard line.utf8.count <= Self.longestLine else { throw Self.unreadable("it is too long") }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\r" || $0 == "\n" || $0 == "\r\n" })
        guard words.count >= 2, words[0] == Self.prefix, let version = Self.number(words[1], as: UInt16.self) else {
            throw Self.unreadable("it does not begin with '\(Self.prefix)' and a version")
        }
        guard version == channelProtocolVersion else { throw .channelVersion(theirs: version) }
        var fields: [Substring: Substring] = [:]
        for word in words.dropFirst(2) {
            guard let equals = word.firstIndex(of: "=") else { throw Self.unreadable("a field has no '='") }
            let name = word[..<equals]
            guard fields.updateValue(word[word.index(after: equals)...], forKey: name) == nil else {
                throw Self.unreadable("a field appears twice")
            }
        }
        guard let session = fields["session"].flatMap({ Hexadecimal.bytes($0, count: 8) }) else {
            throw Self.unreadable("its session is not 16 hexadecimal digits")
        }
        var isKey = false
        let key = try SecretKey { out in
            let memory = UnsafeMutableBufferPointer(start: out, count: SecretKey.size)
            isKey = fields["key"].map { Hexadecimal.decode($0, into: memory) } ?? false
        }
        guard isKey else { throw Self.unreadable("its key is not 64 hexadecimal digits") }
        guard let udp = fields["udp"].flatMap({ Self.number($0, as: UInt16.self) }),
            let tcp = fields["tcp"].flatMap({ Self.number($0, as: UInt16.self) })
        else { throw Self.unreadable("it has no ports") }
        guard let vehicle = fields["vehicle"], Self.isVehicleName(vehicle) else {
            throw Self.unreadable("its vehicle name is invalid")
        }
        let program = fields["program"].map(String.init)
        guard program.map(Self.isVersion) ?? true else { throw Self.unreadable("its program version is invalid") }
        self.init(
            session: SessionID(session.reduce(0) { $0 << 8 | UInt64($1) }), key: key, udpPort: udp, tcpPort: tcp,
            version: version, vehicle: String(vehicle), program: program)
    }

    /// Finds the ticket in the output of a program on the vehicle; banners and greetings may precede and follow it.
    ///
    /// - Throws: ``LinkError`` as ``init(line:)``, and `companionUnavailable` when no line is a ticket.
    public static func find(in output: String) throws(LinkError) -> ChannelTicket {
        for line in output.split(whereSeparator: \.isNewline) where line.hasPrefix("\(prefix) ") {
            return try ChannelTicket(line: String(line))
        }
        throw LinkError(
            .companionUnavailable, "the companion returned no ticket",
            hint: "run 'uavlink-companion --version' on the vehicle")
    }

    /// Whether a vehicle's name is valid in a ticket: letters, digits, `_`, `-` and `/`, 1 to 64 bytes.
    package static func isVehicleName(_ name: some StringProtocol) -> Bool {
        (1...ChannelLimits.vehicleName).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F || byte == 0x2D || byte == 0x2F
            }
    }

    /// Whether a program's version is valid in a ticket: letters, digits, `.`, `-` and `+`, 1 to 32 bytes.
    private static func isVersion(_ text: String) -> Bool {
        (1...ChannelLimits.programVersion).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2E || byte == 0x2D || byte == 0x2B
            }
    }

    /// Decimal digits only: Swift's own parser would accept a sign.
    private static func number<Value: FixedWidthInteger>(_ text: Substring, as: Value.Type) -> Value? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Value(text)
    }

    private static func unreadable(_ why: String) -> LinkError {
        LinkError(
            .protocolViolation, "the companion's ticket cannot be read: \(why)",
            hint: "the same version of uavlink must be installed on both ends")
    }
}

extension LinkError {
    package static func channelVersion(theirs: UInt16) -> LinkError {
        LinkError(
            .versionMismatch,
            "the companion uses channel version \(theirs), this program version \(channelProtocolVersion)",
            hint: "install the same version of uavlink on both ends")
    }
}
