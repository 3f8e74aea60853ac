/// Why a frame was dropped.
enum FrameRefusal: Error, Equatable {
    /// Too short or too long to be one.
    case malformed
    /// No session of that number.
    case unknownSession
    /// Seen before.
    case replayed
    /// Too far behind the newest to tell whether it was seen.
    case tooOld
    /// It does not open: changed, cut or made by a stranger.
    case forged
}

/// What of a frame is in clear.
struct FrameHeader: Equatable {
    let session: UInt64
    /// 0 marks a handshake.
    let sequence: UInt64

    init(_ frame: UnsafeRawBufferPointer) throws(FrameRefusal) {
        guard frame.count > ChannelLimits.header + ChannelLimits.tag, frame.count <= ChannelLimits.frame else {
            throw .malformed
        }
        session = UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        sequence = UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}
