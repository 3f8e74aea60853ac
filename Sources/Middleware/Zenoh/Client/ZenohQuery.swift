internal import Synchronization

/// A query that somebody sent to a queryable of ours. The end of the replies is sent by ``finish()``, or when the last
/// reference is released.
public final class ZenohQuery: Sendable {
    /// The key that was asked for; it may have wildcards.
    public let key: String
    /// The text behind the key, such as `a=1;b=2`; empty for none.
    public let parameters: String
    /// The bytes in which the payload and the attachment stand.
    public let bytes: [UInt8]
    /// The range of the payload in ``bytes``; `nil` for none.
    public let payloadRange: Range<Int>?
    /// The range of the attachment in ``bytes``; `nil` for none.
    public let attachmentRange: Range<Int>?
    private let id: UInt32
    private let session: SessionOutput.Session
    private let output: SessionOutput
    private let isFinished = Mutex(false)

    /// - Parameter bytes: those of the message; the query keeps a copy of its own, since it outlives the receive
    /// buffer.
    init(
        _ request: NetworkMessage.Request, key: String, in bytes: [UInt8], session: SessionOutput.Session,
        output: SessionOutput
    ) {
        self.key = key
        parameters = String(decoding: bytes[request.parameters], as: UTF8.self)
        var kept: [UInt8] = []
        func keep(_ range: Range<Int>?) -> Range<Int>? {
            guard let range else { return nil }
            kept += bytes[range]
            return kept.count - range.count..<kept.count
        }
        payloadRange = keep(request.payload)
        attachmentRange = keep(request.attachment)
        self.bytes = kept
        id = request.id
        self.session = session
        self.output = output
    }

    deinit { finish() }

    /// The payload; `nil` for none.
    public var payload: ArraySlice<UInt8>? { payloadRange.map { bytes[$0] } }

    /// The attachment; `nil` for none.
    public var attachment: ArraySlice<UInt8>? { attachmentRange.map { bytes[$0] } }

    /// Sends a reply, unless the query was finished or its session is over.
    ///
    /// - Parameters:
    ///   - key: the key of the value, without wildcards, one of those that were asked for; `nil` for that of the query.
    ///   - timestamp: when the value was published; `nil` to say nothing.
    ///   - isLast: whether it is the end of the replies, which then goes with it.
    @discardableResult
    public func reply(
        key: String? = nil, payload: [UInt8], attachment: [UInt8]? = nil, timestamp: ZenohTimestamp? = nil,
        isLast: Bool = true
    ) -> ZenohPublication {
        send(isLast: isLast) { writer in
            payload.withUnsafeBytes { payload in
                withOptionalBytes(attachment) { attachment in
                    writer.writeReply(
                        id: self.id, key: key ?? self.key, .service, payload: payload, attachment: attachment,
                        timestamp: timestamp)
                }
            }
        }
    }

    /// Sends why there is no value.
    @discardableResult
    public func fail(_ payload: [UInt8], isLast: Bool = true) -> ZenohPublication {
        send(isLast: isLast) { writer in
            payload.withUnsafeBytes { writer.writeFailure(id: self.id, key: self.key, .service, payload: $0) }
        }
    }

    private func send(isLast: Bool, _ encode: (inout ZenohWriter) -> Void) -> ZenohPublication {
        // Held while sending, so that no reply follows the end of the replies.
        isFinished.withLock { isFinished in
            guard !isFinished else { return .dropped }
            isFinished = isLast
            return output.send(in: session, isDroppable: false) { writer in
                writer.append(isReliable: true, encode)
                if isLast { writer.append(isReliable: true) { $0.writeResponseFinal(id: self.id) } }
            }
        }
    }

    /// Sends the end of the replies, once.
    public func finish() {
        isFinished.withLock { isFinished in
            guard !isFinished else { return }
            isFinished = true
            _ = output.send(in: session, isDroppable: false) { writer in
                writer.append(isReliable: true) { $0.writeResponseFinal(id: self.id) }
            }
        }
    }
}

/// Accesses bytes that may be missing.
func withOptionalBytes<Value>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
    guard let bytes else { return body(nil) }
    return bytes.withUnsafeBytes { body($0) }
}
