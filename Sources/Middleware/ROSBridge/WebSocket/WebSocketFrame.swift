/// Frames of WebSocket (RFC 6455, section 5).
package enum WebSocketFrame {
    /// What a frame is.
    package enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        /// Whether it may come between the fragments of a message, and has no fragments itself.
        var isControl: Bool { rawValue >= 8 }
    }

    /// The most payload of a control frame.
    package static let longestControl = 125

    /// The bits of the first two bytes.
    static let (final, reserved, opcode, masked, length): (UInt8, UInt8, UInt8, UInt8, UInt8) = (
        0x80, 0x70, 0x0F, 0x80, 0x7F
    )
    /// The values of the length that say how many bytes of it follow.
    static let (twoBytes, eightBytes): (UInt8, UInt8) = (126, 127)

    /// A whole frame of a client, which masks what it sends.
    ///
    /// - Parameter mask: a new random number for each frame.
    package static func encode(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        bytes.append(final | opcode.rawValue)
        switch payload.count {
        case ..<Int(twoBytes): bytes.append(masked | UInt8(truncatingIfNeeded: payload.count))
        case ...0xFFFF:
            bytes.append(masked | twoBytes)
            bytes += [UInt8(truncatingIfNeeded: payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)]
        default:
            bytes.append(masked | eightBytes)
            let count = UInt64(payload.count)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) }
        }
        let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * UInt32($0))) }
        bytes += key
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
        return bytes
    }

    /// The payload of a close frame.
    ///
    /// - Parameter code: of RFC 6455, section 7.4.
    package static func closing(_ code: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
    }
}
