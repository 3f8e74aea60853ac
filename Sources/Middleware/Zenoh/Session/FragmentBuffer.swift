/// Joins the parts of one channel's fragmented messages.
struct FragmentBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// The number that the next part must have; `nil` when none was begun.
    private var expected: UInt32?
    /// Parts are discarded up to the end of a message whose beginning is missing.
    private var isSkipping = false

    /// The bytes that are kept.
    var count: Int { bytes.count }

    /// Takes a part whose number is newer than that of the last one.
    ///
    /// - Returns: the whole message after its last part.
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/tooLarge`` when it grows above `maximum` bytes.
    mutating func append(
        _ fragment: TransportMessage.Fragment, of batch: [UInt8], within maximum: Int
    ) throws(ZenohError) -> [UInt8]? {
        if fragment.isDropped {
            reset()
            return nil
        }
        if fragment.isFirst { reset() }
        if let expected, expected != fragment.number {
            reset()
            isSkipping = true
        }
        if isSkipping {
            isSkipping = fragment.isFollowed
            return nil
        }
        guard bytes.count + fragment.part.count <= maximum else {
            throw ZenohError(.tooLarge, "the router sent a message that is too large")
        }
        bytes += batch[fragment.part]
        guard fragment.isFollowed else {
            defer { reset() }
            return bytes
        }
        expected = (fragment.number &+ 1) & SequenceNumber.mask
        return nil
    }

    /// Forgets what was begun.
    mutating func reset() {
        bytes = []
        expected = nil
        isSkipping = false
    }
}
