/// SHA-1 (FIPS 180-4, 6.1.2): only for hashed names in `known_hosts` and the handshake of WebSocket, which require it; libsodium
/// does without.
package enum SHA1 {
    private static let blockBytes = 64

    /// The digest of these bytes.
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        // 64-byte blocks: the bytes, a one bit, zeros, the length in bits (5.1.1).
        let bits = UInt64(bytes.count) &* 8
        var message = bytes + [0x80]
        message += [UInt8](repeating: 0, count: (blockBytes * 2 - 8 - message.count % blockBytes) % blockBytes)
        message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        var words: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for start in stride(from: 0, to: message.count, by: blockBytes) {
            compress(message[start..<start + blockBytes], into: &words)
        }
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// HMAC-SHA1 (RFC 2104).
    package static func authentication(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > blockBytes ? of(key) : key
        block += [UInt8](repeating: 0, count: blockBytes - block.count)
        let inner = of(block.map { $0 ^ 0x36 } + message)
        return of(block.map { $0 ^ 0x5c } + inner)
    }

    private static func compress(_ block: ArraySlice<UInt8>, into words: inout [UInt32]) {
        var schedule = (0..<16).map { index in
            block[(block.startIndex + index * 4)...].prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            schedule.append(
                rotate(schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16], 1))
        }
        var (a, b, c, d, e) = (words[0], words[1], words[2], words[3], words[4])
        for (index, word) in schedule.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case 0..<20: ((b & c) | (~b & d), 0x5a82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case 40..<60: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let sum = rotate(a, 5) &+ mixed &+ e &+ constant &+ word
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, sum)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { words[index] &+= value }
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        (value << count) | (value >> (32 - count))
    }
}
