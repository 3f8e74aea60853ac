#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol

/// Frames over a byte stream: each is preceded by its length as 16 bits, little-endian.
///
/// Outgoing, at most one frame is pending: the part that the socket has not accepted. Incoming, bytes are buffered until a frame
/// is complete.
final class StreamFraming {
    static let lengthSize = 2
    private let outgoing = FrameBuffer(size: lengthSize + ChannelLimits.frame)
    private var outgoingRange = 0..<0
    private let incoming = FrameBuffer(size: 8 * (lengthSize + ChannelLimits.frame))
    private var incomingRange = 0..<0

    /// Whether part of a frame is still unsent.
    var isBlocked: Bool { !outgoingRange.isEmpty }

    enum Failure: Error {
        case closed
        case system(Int32)
        /// The length field is outside the range of valid frames.
        case malformed
    }

    /// Where to write the next outgoing frame.
    var outgoingFrameBuffer: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: outgoing.bytes[Self.lengthSize...])
    }

    /// Sends the first `length` bytes of ``outgoingFrameBuffer`` as one frame.
    func send(length: Int, to descriptor: Int32) throws(Failure) {
        outgoing.bytes.storeBytes(of: UInt16(truncatingIfNeeded: length).littleEndian, as: UInt16.self)
        outgoingRange = 0..<Self.lengthSize + length
        try flush(to: descriptor)
    }

    /// Sends the rest of the pending frame.
    func flush(to descriptor: Int32) throws(Failure) {
        while !outgoingRange.isEmpty {
            let rest = UnsafeRawBufferPointer(rebasing: outgoing.bytes[outgoingRange])
            #if canImport(Glibc)
                let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            #else
                let sent = Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
            #endif
            if sent >= 0 {
                outgoingRange = outgoingRange.lowerBound + sent..<outgoingRange.upperBound
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                return
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Reads from the socket; false when nothing more is available now.
    func fill(from descriptor: Int32) throws(Failure) -> Bool {
        compact()
        let free = UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[incomingRange.upperBound...])
        guard !free.isEmpty else { return true }
        while true {
            let count = recv(descriptor, free.baseAddress, free.count, 0)
            if count > 0 {
                incomingRange = incomingRange.lowerBound..<incomingRange.upperBound + count
                return true
            }
            if count == 0 { throw .closed }
            if errno == EAGAIN || errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .system(errno) }
        }
    }

    /// The next complete frame; its bytes are valid until the next ``fill(from:)``.
    func nextFrame() throws(Failure) -> UnsafeMutableRawBufferPointer? {
        guard incomingRange.count >= Self.lengthSize else { return nil }
        let start = incomingRange.lowerBound
        let length = Int(UInt16(littleEndian: incoming.bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self)))
        guard length > ChannelLimits.header + ChannelLimits.tag, length <= ChannelLimits.frame else { throw .malformed }
        guard incomingRange.count >= Self.lengthSize + length else { return nil }
        let first = start + Self.lengthSize
        incomingRange = first + length..<incomingRange.upperBound
        return UnsafeMutableRawBufferPointer(rebasing: incoming.bytes[first..<first + length])
    }

    private func compact() {
        guard incomingRange.lowerBound > 0 else { return }
        if !incomingRange.isEmpty, let base = incoming.bytes.baseAddress {
            base.copyMemory(from: base + incomingRange.lowerBound, byteCount: incomingRange.count)
        }
        incomingRange = 0..<incomingRange.count
    }
}
