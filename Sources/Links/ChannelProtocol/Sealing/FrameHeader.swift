/// Why a frame was dropped.
package enum FrameRefusal: Error, Equatable {
    /// Too short or too long for a frame.
    case malformed
    /// No session with that id.
    case unknownSession
    /// Seen before.
    case replayed
    /// Too far behind the newest for the replay window.
    case tooOld
    /// Authentication failed: modified, truncated or forged.
    case forged
}

/// The cleartext part of a frame.
package struct FrameHeader: Equatable {
    package let session: UInt64
    /// 0 marks a handshake.
    package let sequence: UInt64

    package init(_ frame: UnsafeRawBufferPointer) throws(FrameRefusal) {
        guard frame.count > ChannelLimits.header + ChannelLimits.tag, frame.count <= ChannelLimits.frame else {
            throw .malformed
        }
        session = UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        sequence = UInt64(littleEndian: frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}
