package import UAVLink

/// A way to a board: USB serial, or Bluetooth LE.
package protocol BlunoTransport: Sendable {
    /// Where the board is, for messages.
    var name: String { get }
    /// Begins to open the way: it may go on in the stream.
    ///
    /// - Throws: ``UAVLink/LinkError`` that says what is wrong and what helps.
    func open() throws(LinkError) -> any BlunoStream
    /// What looks for boards to choose from; `nil` where there is one at most, as on a cable.
    func makeScanner() -> BluetoothScanner?
    /// The way to another board; `nil` where there is none.
    func reaching(_ address: String) -> (any BlunoTransport)?
}

extension BlunoTransport {
    package func makeScanner() -> BluetoothScanner? { nil }
    package func reaching(_ address: String) -> (any BlunoTransport)? { nil }
}

/// A way to a board, open or being opened. Nothing here waits. The descriptor, what is due, and readings are the link's thread's;
/// writings come from any thread, under the link's lock.
package protocol BlunoStream: AnyObject, Sendable {
    /// Readable when bytes, news or the end have come, writable when there is room.
    var descriptor: Int32 { get }
    /// Whether to wait until ``descriptor`` is writable.
    func wantsWriting(whileBytesWait: Bool) -> Bool
    /// How far the opening is.
    var progress: BlunoProgress { get }
    /// Whether the opening may have reset the board, which then starts anew.
    var mayStart: Bool { get }
    /// Does what is due.
    ///
    /// - Returns: why the way is gone, if it is.
    func advance(now: MonotonicTime) -> LinkError?
    /// When something is due next.
    var nextDeadline: MonotonicTime? { get }
    /// Reads what has come.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BlunoMove
    /// Whether bytes wait here, of which ``descriptor`` says nothing.
    var hasBytes: Bool { get }
    /// Writes bytes, or as many of them as there is room for.
    func write(_ bytes: [UInt8]) -> BlunoMove
    /// The bytes that were taken and have not left.
    var underWay: Int { get }
    /// Whether ``discard()`` can take back bytes that were taken.
    var canDiscard: Bool { get }
    /// Discards the bytes that were taken and have not left.
    func discard()
}

extension BlunoStream {
    package func wantsWriting(whileBytesWait: Bool) -> Bool { whileBytesWait && underWay == 0 }
    package var progress: BlunoProgress { .open(nil) }
    package var mayStart: Bool { true }
    package func advance(now: MonotonicTime) -> LinkError? { nil }
    package var nextDeadline: MonotonicTime? { nil }
    package var hasBytes: Bool { false }
    package var canDiscard: Bool { true }
}

/// How far a way is.
package enum BlunoProgress: Hashable, Sendable {
    /// Being opened, and what is done for that.
    case opening(String)
    /// Open; what is at its end, if that is known better than by the transport's name.
    case open(String?)
}

/// What became of a reading or a writing.
package enum BlunoMove: Hashable, Sendable {
    /// So many bytes, at least one.
    case moved(Int)
    /// None now.
    case nothing
    /// The way is gone, and why.
    case ended(String)
}
