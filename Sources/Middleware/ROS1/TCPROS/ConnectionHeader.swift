/// The fields that the two ends of a TCPROS connection exchange first.
public struct ConnectionHeader: Hashable, Sendable {
    /// The largest header that is taken: a message definition with all that it depends on has below 100 kB.
    public static let maximumBytes = 1 << 20
    /// More fields than any ROS library sends.
    public static let maximumFields = 256

    /// All fields as they came.
    public var fields: [String: String]

    /// A header.
    public init(_ fields: [String: String] = [:]) { self.fields = fields }

    /// Reads the fields: each a 32-bit length and `key=value`. The length of all of them, which stands in front on the
    /// wire, is not part of `bytes`.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/protocolViolation`` or ``ROSError/Code/tooLarge``.
    public init(decoding bytes: some RandomAccessCollection<UInt8>) throws(ROSError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ROSError(.tooLarge, "a connection header of \(bytes.count) bytes is above the bound")
        }
        var reader = ROSReader(Array(bytes))
        fields = [:]
        while reader.remaining > 0 {
            let field: ArraySlice<UInt8>
            do { field = try reader.readRaw(count: try reader.readCount(minimumElementSize: 1)) } catch {
                throw ROSError(.protocolViolation, "a connection header that is cut off: \(error)")
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

    /// The bytes of the wire, with the length of all fields in front.
    public var encoded: [UInt8] {
        var body = ROSWriter()
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) { body.write(key + "=" + value) }
        var whole = ROSWriter(reservingCapacity: body.count + 4)
        whole.writeCount(body.count)
        whole.writeRaw(body.bytes)
        return whole.bytes
    }

    /// A field, `nil` when it is not there.
    public subscript(key: String) -> String? {
        get { fields[key] }
        set { fields[key] = newValue }
    }

    /// `md5sum`: of the type; `*` means any.
    public var md5: String { fields["md5sum"] ?? "" }
    /// `type`: `package/Name`; `*` means any.
    public var type: String { fields["type"] ?? "" }
    /// `callerid`: the name of the node at the other end.
    public var callerID: String { fields["callerid"] ?? "" }
    /// `message_definition`: the full text.
    public var messageDefinition: String { fields["message_definition"] ?? "" }
    /// `error`: why the other end refuses.
    public var error: String? { fields["error"] }
    /// `latching`: whether the publisher repeats its last message to newcomers.
    public var isLatching: Bool { fields["latching"] == "1" }
    /// `persistent`: whether a service connection stays open after the first call.
    public var isPersistent: Bool { fields["persistent"] == "1" }
    /// `probe`: the other end only wants to see our header.
    public var isProbe: Bool { fields["probe"] == "1" }

    /// Compares a sum from a peer with ours; `*` on either side fits everything.
    public static func sumsAgree(_ one: String, _ other: String) -> Bool {
        one == "*" || other == "*" || one == other
    }
}
