/// The header that both ends of a TCPROS connection send first.
public struct ConnectionHeader: Hashable, Sendable {
    /// The largest header accepted: a message definition with all its dependencies has below 100 kB.
    public static let maximumBytes = 1 << 20
    /// The most fields accepted; ROS libraries send about ten.
    public static let maximumFields = 256

    /// All fields by name.
    public var fields: [String: String]

    /// Creates a header.
    public init(_ fields: [String: String] = [:]) { self.fields = fields }

    /// Decodes the fields, each a 32-bit length and `key=value`. The length of the whole header, which precedes it on the
    /// wire, is not part of `bytes`.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/protocolViolation`` or ``ROSError/Code/tooLarge``.
    public init(decoding bytes: some RandomAccessCollection<UInt8>) throws(ROSError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ROSError(
                .tooLarge, "a connection header of \(bytes.count) bytes exceeds the bound of \(Self.maximumBytes)")
        }
        var reader = ROSReader(Array(bytes))
        fields = [:]
        while reader.remaining > 0 {
            let field: ArraySlice<UInt8>
            do { field = try reader.readRaw(count: try reader.readCount(minimumElementSize: 1)) } catch {
                throw ROSError(.protocolViolation, "a truncated connection header: \(error)")
            }
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")), equals > field.startIndex else {
                throw ROSError(.protocolViolation, "a connection header field without '='")
            }
            guard fields.count < Self.maximumFields else {
                throw ROSError(.tooLarge, "a connection header of more than \(Self.maximumFields) fields")
            }
            fields[String(decoding: field[..<equals], as: UTF8.self)] =
                String(decoding: field[(equals + 1)...], as: UTF8.self)
        }
    }

    /// The encoded header, with the length prefix.
    public var encoded: [UInt8] {
        var body = ROSWriter()
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) { body.write(key + "=" + value) }
        var whole = ROSWriter(reservingCapacity: body.count + 4)
        whole.writeCount(body.count)
        whole.writeRaw(body.bytes)
        return whole.bytes
    }

    /// A field; `nil` when it is absent.
    public subscript(key: String) -> String? {
        get { fields[key] }
        set { fields[key] = newValue }
    }

    /// `md5sum` of the type; `*` means any.
    public var md5: String { fields["md5sum"] ?? "" }
    /// `type`: `package/Name`; `*` means any.
    public var type: String { fields["type"] ?? "" }
    /// `callerid`: the name of the sending node.
    public var callerID: String { fields["callerid"] ?? "" }
    /// `message_definition`: the definition with its dependencies.
    public var messageDefinition: String { fields["message_definition"] ?? "" }
    /// `error`: why the peer refuses the connection.
    public var error: String? { fields["error"] }
    /// `latching`: whether the publisher sends its last message to new subscribers.
    public var isLatching: Bool { fields["latching"] == "1" }
    /// `persistent`: whether a service connection stays open after the first call.
    public var isPersistent: Bool { fields["persistent"] == "1" }
    /// `probe`: the peer only wants to read our header.
    public var isProbe: Bool { fields["probe"] == "1" }

    /// Compares two MD5 sums; `*` on either side matches everything.
    public static func md5sMatch(_ one: String, _ other: String) -> Bool {
        one == "*" || other == "*" || one == other
    }
}
