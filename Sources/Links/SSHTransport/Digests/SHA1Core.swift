/// SHA-1's compression function (FIPS 180-4, 6.1.2).
struct SHA1Core: DigestCore {
    private(set) var words: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]

    init() {}

    mutating func compress(_ block: UnsafeRawBufferPointer) {
        var schedule = (0..<16).map {
            UInt32(bigEndian: block.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
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

    private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { (value << count) | (value >> (32 - count)) }
}
