/// A received value: a publication, or a reply to a query.
///
/// It shares the bytes that were received. During a callback on the I/O thread nothing is copied; to keep one for
/// longer, keep ``detached``.
public struct ZenohSample: Sendable {
    /// The key.
    public let key: String
    /// It says that there is no value of the key any more.
    public let isDeletion: Bool
    /// The bytes in which the payload and the attachment stand.
    public let bytes: [UInt8]
    /// The range of the payload in ``bytes``.
    public let payloadRange: Range<Int>
    /// The range of the attachment in ``bytes``; `nil` for none.
    public let attachmentRange: Range<Int>?
    /// When it was made, if somebody on its way said so; routers do.
    public let timestamp: ZenohTimestamp?
    private let encodingNumber: UInt32
    private let schemaRange: Range<Int>

    init(key: String, _ publication: NetworkMessage.Publication, in bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
        isDeletion = publication.isDeletion
        payloadRange = publication.payload
        attachmentRange = publication.attachment
        timestamp = publication.timestamp
        encodingNumber = publication.encoding
        schemaRange = publication.schema
    }

    /// The bytes of a sample that is kept.
    var keptBytes: Int { payloadRange.count + (attachmentRange?.count ?? 0) + schemaRange.count + key.utf8.count }

    /// The sample with bytes of its own, to be kept beyond the callback.
    public var detached: ZenohSample { ZenohSample(copying: self) }

    private init(copying sample: ZenohSample) {
        var kept: [UInt8] = []
        kept.reserveCapacity(sample.keptBytes)
        func keep(_ range: Range<Int>) -> Range<Int> {
            kept += sample.bytes[range]
            return kept.count - range.count..<kept.count
        }
        key = sample.key
        isDeletion = sample.isDeletion
        timestamp = sample.timestamp
        payloadRange = keep(sample.payloadRange)
        attachmentRange = sample.attachmentRange.map(keep)
        encodingNumber = sample.encodingNumber
        schemaRange = keep(sample.schemaRange)
        bytes = kept
    }

    /// The payload.
    public var payload: ArraySlice<UInt8> { bytes[payloadRange] }

    /// The attachment; `nil` for none.
    public var attachment: ArraySlice<UInt8>? { attachmentRange.map { bytes[$0] } }

    /// What the payload is.
    public var encoding: ZenohEncoding {
        ZenohEncoding(number: encodingNumber, schema: String(decoding: bytes[schemaRange], as: UTF8.self))
    }
}

/// An answer to a query.
public enum ZenohReply: Sendable {
    /// A value.
    case value(ZenohSample)
    /// What a queryable says instead of one.
    case failure([UInt8])

    /// The value; `nil` for a failure.
    public var sample: ZenohSample? { if case .value(let sample) = self { sample } else { nil } }
}

/// A liveliness token that came or went.
public enum ZenohTokenChange: Sendable, Hashable {
    /// Its owner declared it, or it existed when the watch began.
    case appeared(String)
    /// Its owner withdrew it or is gone.
    case vanished(String)
}
