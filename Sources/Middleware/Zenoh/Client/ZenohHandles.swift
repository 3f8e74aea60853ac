internal import Synchronization
internal import SystemIO

/// A publisher of one key; publications go to the router on the calling thread. Nothing of it is declared.
public final class ZenohPublisher: Sendable {
    /// The key.
    public let key: String
    /// How routers treat its publications.
    public let qos: ZenohQoS
    private let output: SessionOutput
    /// The part that all publications begin with.
    private let head: [UInt8]
    private let encoding: ZenohEncoding

    init(key: String, qos: ZenohQoS, encoding: ZenohEncoding, output: SessionOutput) {
        self.key = key
        self.qos = qos
        self.output = output
        self.encoding = encoding
        var writer = ZenohWriter()
        writer.writePush(key: key, qos)
        head = writer.bytes
    }

    /// Sends a value; never blocks. A router adds a timestamp where none is given. While the connection accepts no more bytes it is dropped, or waits if the publisher
    /// blocks (``ZenohQoS/blocks``).
    @discardableResult
    public func put(
        _ payload: UnsafeRawBufferPointer, attachment: UnsafeRawBufferPointer? = nil, timestamp: ZenohTimestamp? = nil
    ) -> ZenohPublication {
        send(payload, attachment, isDeletion: false, timestamp)
    }

    /// As ``put(_:attachment:timestamp:)``.
    @discardableResult
    public func put(_ payload: [UInt8], attachment: [UInt8]? = nil) -> ZenohPublication {
        payload.withUnsafeBytes { payload in
            withOptionalBytes(attachment) { send(payload, $0, isDeletion: false) }
        }
    }

    /// Says that there is no value any more.
    @discardableResult
    public func delete(attachment: [UInt8]? = nil) -> ZenohPublication {
        withOptionalBytes(attachment) { send(UnsafeRawBufferPointer(start: nil, count: 0), $0, isDeletion: true) }
    }

    private func send(
        _ payload: UnsafeRawBufferPointer, _ attachment: UnsafeRawBufferPointer?, isDeletion: Bool,
        _ timestamp: ZenohTimestamp? = nil
    ) -> ZenohPublication {
        output.send(isDroppable: !qos.blocks) { writer in
            writer.append(isReliable: qos.isReliable) { message in
                message.writeRaw(head)
                message.writeBody(
                    payload: payload, attachment: attachment, encoding: encoding, isDeletion: isDeletion,
                    timestamp: timestamp)
            }
        }
    }
}

/// Something declared: a subscription, a queryable, a token or a watch. Releasing it withdraws it.
public final class ZenohDeclaration: Sendable {
    /// The key.
    public let key: String
    private let isCancelled = Atomic(false)
    private let onEnd: @Sendable () -> Void

    init(key: String, onEnd: @escaping @Sendable () -> Void) {
        self.key = key
        self.onEnd = onEnd
    }

    deinit { cancel() }

    /// Withdraws it; what is being delivered on the I/O thread may still arrive.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
    }
}
