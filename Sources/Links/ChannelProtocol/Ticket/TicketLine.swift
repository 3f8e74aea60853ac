public import Secrets
public import UAVLink

extension ChannelTicket {
    /// The first word of a ticket's line.
    public static let prefix = "uavlink-channel"
    /// The longest line accepted as a ticket, in bytes.
    public static let longestLine = 512

    /// The ticket as one line of text, with its key: only for the SSH channel or a file that one user can read.
    public var line: SecretBytes {
        let said = program.map { " program=\($0)" } ?? ""
        let line = SecretBuffer(capacity: Self.longestLine)
        line.append("\(Self.prefix) \(version) session=\(session) key=".utf8)
        key.withBytes { bytes in
            for byte in UnsafeBufferPointer(start: bytes, count: SecretKey.size) {
                line.append(CollectionOfOne(Hexadecimal.digit(byte >> 4)))
                line.append(CollectionOfOne(Hexadecimal.digit(byte & 15)))
            }
        }
        line.append(" udp=\(udpPort) tcp=\(tcpPort) vehicle=\(vehicle)\(said)".utf8)
        return line.contents
    }

    /// The same as text, which stays in memory: for tests, and for peers in other languages.
    package var unwipedLine: String { line.unwipedText }

    /// Reads a ticket's line; a carriage return or line feed at its end is allowed.
    ///
    /// - Throws: ``LinkError`` with `versionMismatch` for another version's ticket, `protocolViolation` for anything that is not
    ///   a ticket. The error never contains the line, which may hold a key.
    public init(line: SecretBytes) throws(LinkError) {
        self = try line.withBytes { bytes throws(LinkError) in try ChannelTicket(bytes: bytes) }
    }

    /// The same for a text, which is not wiped.
    public init(line: String) throws(LinkError) { try self.init(bytes: line.utf8) }

    /// Reads the line where it stands, with no other copy of the key.
    private init(bytes line: some Collection<UInt8>) throws(LinkError) {
        guard line.count <= Self.longestLine else { throw Self.unreadable("it is too long") }
        let words = line.split { $0 == UInt8(ascii: " ") || Self.endsLine($0) }
        guard words.count >= 2, words[0].elementsEqual(Self.prefix.utf8),
            let version = Self.number(words[1], as: UInt16.self)
        else { throw Self.unreadable("it does not begin with '\(Self.prefix)' and a version") }
        guard version == channelProtocolVersion else { throw .channelVersion(theirs: version) }
        let fields = try Self.fields(of: words.dropFirst(2))
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
        guard let vehicle = fields["vehicle"].map({ Self.text($0) }), Self.isVehicleName(vehicle) else {
            throw Self.unreadable("its vehicle name is invalid")
        }
        let program = fields["program"].map { Self.text($0) }
        guard program.map(Self.isVersion) ?? true else { throw Self.unreadable("its program version is invalid") }
        self.init(
            session: SessionID(session.reduce(0) { $0 << 8 | UInt64($1) }), key: key, udpPort: udp, tcpPort: tcp,
            version: version, vehicle: vehicle, program: program)
    }

    /// Finds the ticket in the output of a program on the vehicle; banners and greetings may precede and follow it.
    ///
    /// - Throws: ``LinkError`` as ``init(line:)``, and `companionUnavailable` when no line is a ticket.
    public static func find(in output: SecretBytes) throws(LinkError) -> ChannelTicket {
        try output.withBytes { bytes throws(LinkError) in try find(bytes: bytes) }
    }

    /// The same for a text, which is not wiped.
    public static func find(in output: String) throws(LinkError) -> ChannelTicket { try find(bytes: output.utf8) }

    private static func find(bytes output: some Collection<UInt8>) throws(LinkError) -> ChannelTicket {
        guard let line = firstLine(in: output) else {
            throw LinkError(
                .companionUnavailable, "the companion returned no ticket",
                hint: "run 'uavlink-companion --version' on the vehicle")
        }
        return try ChannelTicket(bytes: line)
    }

    /// Whether a line of an output begins as a ticket does, so that the output must not be shown.
    package static func stands(in output: SecretBytes) -> Bool { output.withBytes { firstLine(in: $0) != nil } }

    private static func firstLine<Bytes: Collection<UInt8>>(in output: Bytes) -> Bytes.SubSequence? {
        let beginning = "\(prefix) "
        return output.split(whereSeparator: endsLine).first { $0.starts(with: beginning.utf8) }
    }

    /// Line feed, vertical tab, form feed and carriage return.
    private static func endsLine(_ byte: UInt8) -> Bool { (0x0A...0x0D).contains(byte) }

    /// Fields by their names: `NAME=VALUE`, each once.
    private static func fields<Word: Collection<UInt8>>(
        of words: some Sequence<Word>
    ) throws(LinkError) -> [String: Word.SubSequence] {
        var fields: [String: Word.SubSequence] = [:]
        for word in words {
            guard let equals = word.firstIndex(of: UInt8(ascii: "=")) else {
                throw Self.unreadable("a field has no '='")
            }
            let value = word[word.index(after: equals)...]
            guard fields.updateValue(value, forKey: text(word[..<equals])) == nil else {
                throw Self.unreadable("a field appears twice")
            }
        }
        return fields
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

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
    private static func number<Value: FixedWidthInteger>(_ digits: some Collection<UInt8>, as: Value.Type) -> Value? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Value(text(digits))
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
