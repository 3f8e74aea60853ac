internal import UAVLink

/// The transfer that one end of a session receives, and whether a receipt of it is due.
struct IncomingTransfer {
    private var receiver: BulkReceiver
    private var receiptIsDue = false

    /// Begins with any fragment, which is not stored yet.
    init(_ first: Fragment) { receiver = BulkReceiver(first) }

    var id: UInt64 { receiver.state.id }

    var isDone: Bool { receiver.isDone }

    /// The share received without a gap, 0 to 1.
    var fraction: Double { receiver.fraction }

    /// Bytes held.
    var bytesHeld: Int { receiver.bytes.count }

    /// Stores a fragment; a receipt is due even if it was known, since the last one may be lost.
    mutating func take(_ fragment: Fragment) {
        receiptIsDue = true
        receiver.take(fragment)
    }

    /// The whole transfer once it is complete; handed out once.
    mutating func takeWhole() -> [UInt8]? {
        guard receiver.isDone, !receiver.bytes.isEmpty else { return nil }
        let whole = receiver.bytes
        receiver.freeBytes()
        return whole
    }

    /// Frees the memory of a transfer that is refused.
    mutating func freeBytes() { receiver.freeBytes() }

    /// Seals the receipt and returns the frame's length; 0 when none is due.
    mutating func nextReceipt(into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        guard receiptIsDue else { return 0 }
        receiptIsDue = false
        return cipher.seal(into: buffer) { receiver.state.write(&$0) }
    }
}
