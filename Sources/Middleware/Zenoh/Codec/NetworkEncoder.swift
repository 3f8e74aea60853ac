/// What a client sends. Keys are whole texts: this client declares no aliases of its own.
extension ZenohWriter {
    private typealias Flag = NetworkMessage.Flag
    private typealias Extension = NetworkMessage.Extension

    private mutating func writeKey(_ key: String) {
        writeNumber(0)
        writeText(key)
    }

    /// An extension with a number.
    private mutating func writeExtension(_ kind: UInt8, _ value: UInt64, isFollowed: Bool) {
        write(kind | (isFollowed ? ZenohExtension.followed : 0))
        writeNumber(value)
    }

    // MARK: Publications

    /// The part of a publication that is the same for each of a key;
    /// ``writeBody(payload:attachment:encoding:isDeletion:)`` follows.
    package mutating func writePush(key: String, _ qos: ZenohQoS) {
        let isSilent = qos.extensionValue == ZenohQoS.silentValue
        write(NetworkMessage.ID.push | Flag.named | Flag.aliasOfSender | (isSilent ? 0 : Flag.extensions))
        writeKey(key)
        if !isSilent { writeExtension(Extension.qos, qos.extensionValue, isFollowed: false) }
    }

    /// The value of a publication or reply.
    package mutating func writeBody(
        payload: UnsafeRawBufferPointer, attachment: UnsafeRawBufferPointer?, encoding: ZenohEncoding,
        isDeletion: Bool = false, timestamp: ZenohTimestamp? = nil
    ) {
        let hasEncoding = !isDeletion && (encoding.number != 0 || !encoding.schema.isEmpty)
        write(
            (isDeletion ? NetworkMessage.Body.delete : NetworkMessage.Body.put)
                | (timestamp == nil ? 0 : Flag.timestamp)
                | (hasEncoding ? Flag.encoding : 0) | (attachment == nil ? 0 : Flag.extensions))
        if let timestamp {
            writeNumber(timestamp.time)
            writeNumber(UInt64(timestamp.clock.count))
            for byte in timestamp.clock.bytes { write(byte) }
        }
        if hasEncoding { write(encoding) }
        if let attachment {
            write(isDeletion ? Extension.deleteAttachment : Extension.putAttachment)
            writeBlock(attachment)
        }
        if !isDeletion { writeBlock(payload) }
    }

    private mutating func write(_ encoding: ZenohEncoding) {
        writeNumber(UInt64(encoding.number) << 1 | (encoding.schema.isEmpty ? 0 : 1))
        if !encoding.schema.isEmpty { writeText(encoding.schema) }
    }

    // MARK: Queries and replies

    /// The fixed parts of a query.
    package struct Query {
        package var key: String
        package var parameters = ""
        package var target = ZenohTarget.bestMatching
        package var consolidation = ZenohConsolidation.automatic
        package var timeoutMilliseconds: UInt64
        package var qos = ZenohQoS.service
        package var encoding = ZenohEncoding.bytes

        package init(key: String, timeoutMilliseconds: UInt64) {
            self.key = key
            self.timeoutMilliseconds = timeoutMilliseconds
        }
    }

    /// A query.
    package mutating func writeRequest(
        id: UInt32, _ query: Query, payload: UnsafeRawBufferPointer?, attachment: UnsafeRawBufferPointer?
    ) {
        write(NetworkMessage.ID.request | Flag.named | Flag.aliasOfSender | Flag.extensions)
        writeNumber(UInt64(id))
        writeKey(query.key)
        if query.qos.extensionValue != ZenohQoS.silentValue {
            writeExtension(Extension.qos, query.qos.extensionValue, isFollowed: true)
        }
        if query.target != .bestMatching {
            // Who does not know it would ask others than those that are meant.
            writeExtension(
                Extension.target | ZenohExtension.mandatory, UInt64(query.target.rawValue), isFollowed: true)
        }
        writeExtension(Extension.timeout, query.timeoutMilliseconds, isFollowed: false)
        let hasConsolidation = query.consolidation != .automatic
        let hasExtensions = payload != nil || attachment != nil
        write(
            NetworkMessage.Body.query | (hasConsolidation ? Flag.consolidation : 0)
                | (query.parameters.isEmpty ? 0 : Flag.parameters) | (hasExtensions ? Flag.extensions : 0))
        if hasConsolidation { write(query.consolidation.rawValue) }
        if !query.parameters.isEmpty { writeText(query.parameters) }
        if let payload {
            write(Extension.queryBody | (attachment == nil ? 0 : ZenohExtension.followed))
            var head = ZenohWriter.size(ofNumber: Int(clamping: UInt64(query.encoding.number) << 1))
            if !query.encoding.schema.isEmpty {
                let length = query.encoding.schema.utf8.count
                head += ZenohWriter.size(ofNumber: length) + length
            }
            writeNumber(head + payload.count)
            write(query.encoding)
            writeRaw(payload)
        }
        if let attachment {
            write(Extension.queryAttachment)
            writeBlock(attachment)
        }
    }

    private mutating func writeResponse(id: UInt32, key: String, _ qos: ZenohQoS) {
        write(NetworkMessage.ID.response | Flag.named | Flag.aliasOfSender | Flag.extensions)
        writeNumber(UInt64(id))
        writeKey(key)
        writeExtension(Extension.qos, qos.extensionValue, isFollowed: false)
    }

    /// A reply with a value.
    package mutating func writeReply(
        id: UInt32, key: String, _ qos: ZenohQoS, payload: UnsafeRawBufferPointer,
        attachment: UnsafeRawBufferPointer?, encoding: ZenohEncoding = .bytes, timestamp: ZenohTimestamp? = nil
    ) {
        writeResponse(id: id, key: key, qos)
        write(NetworkMessage.Body.reply)
        writeBody(payload: payload, attachment: attachment, encoding: encoding, timestamp: timestamp)
    }

    /// A reply that says why there is no value.
    package mutating func writeFailure(id: UInt32, key: String, _ qos: ZenohQoS, payload: UnsafeRawBufferPointer) {
        writeResponse(id: id, key: key, qos)
        write(NetworkMessage.Body.failure)
        writeBlock(payload)
    }

    /// The end of the replies.
    package mutating func writeResponseFinal(id: UInt32) {
        write(NetworkMessage.ID.responseFinal)
        writeNumber(UInt64(id))
    }

    // MARK: Declarations

    private mutating func writeDeclare(_ declaration: UInt8, id: UInt32, key: String? = nil) {
        write(NetworkMessage.ID.declare)
        write(declaration | (key == nil ? 0 : Flag.named | Flag.aliasOfSender))
        writeNumber(UInt64(id))
        if let key { writeKey(key) }
    }

    package mutating func writeSubscriber(id: UInt32, key: String) {
        writeDeclare(NetworkMessage.Declare.subscriber, id: id, key: key)
    }

    package mutating func writeUndeclareSubscriber(id: UInt32) {
        writeDeclare(NetworkMessage.Declare.undeclareSubscriber, id: id)
    }

    package mutating func writeQueryable(id: UInt32, key: String, isComplete: Bool) {
        writeDeclare(
            NetworkMessage.Declare.queryable | (isComplete ? Flag.extensions : 0), id: id, key: key)
        if isComplete { writeExtension(Extension.queryableInfo, 1, isFollowed: false) }
    }

    package mutating func writeUndeclareQueryable(id: UInt32) {
        writeDeclare(NetworkMessage.Declare.undeclareQueryable, id: id)
    }

    package mutating func writeToken(id: UInt32, key: String) {
        writeDeclare(NetworkMessage.Declare.token, id: id, key: key)
    }

    package mutating func writeUndeclareToken(id: UInt32) {
        writeDeclare(NetworkMessage.Declare.undeclareToken, id: id)
    }

    /// Asks for the liveliness tokens below a key: those that exist, and with `future` those to come.
    package mutating func writeTokenInterest(id: UInt32, key: String, future: Bool) {
        write(NetworkMessage.ID.interest | Flag.current | (future ? Flag.future : 0))
        writeNumber(UInt64(id))
        // Tokens, restricted to a key.
        write(0x08 | 0x10 | Flag.named | Flag.aliasOfSender)
        writeKey(key)
    }

    /// Ends an interest in what is to come.
    package mutating func writeInterestFinal(id: UInt32) {
        write(NetworkMessage.ID.interest)
        writeNumber(UInt64(id))
    }
}
