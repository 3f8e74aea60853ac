/// LZF, the compression of `binary_compressed` PCD files, in the format of liblzf 3.6 (its `lzf_d.c` is the description).
///
/// Packed bytes are a row of pieces. The first byte of each says what it is:
///
/// ```
/// 000LLLLL                      LLLLL + 1 bytes follow as they are
/// LLLddddd dddddddd             LLL + 2 bytes, LLL being 1 to 6, repeat what was unpacked `ddddd dddddddd` + 1 bytes before
/// 111ddddd LLLLLLLL dddddddd    LLLLLLLL + 9 bytes do so
/// ```
///
/// Of our own: Debian has the library for dynamic linking only, and the programs for vehicles are linked statically.
enum LZF {
    /// The most bytes that one piece has as they are.
    private static let longestLiteral = 32
    /// The most bytes that one piece repeats.
    private static let longestRepeat = 264
    /// The fewest bytes worth repeating.
    private static let shortestRepeat = 3
    /// How far back a piece can refer, bytes.
    private static let farthest = 1 << 13
    /// The places of as many different beginnings are remembered.
    private static let tableBits: UInt32 = 14

    /// Unpacks all of `packed`.
    ///
    /// - Returns: how many bytes were unpacked; `nil` if the packed bytes are cut off, refer to what is before the beginning,
    ///   or hold more than `unpacked` has space for.
    static func unpack(
        _ packed: UnsafeRawBufferPointer, into unpacked: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var (read, written) = (0, 0)
        while read < packed.count {
            let control = Int(packed[read])
            read += 1
            if control < longestLiteral {
                let length = control + 1
                guard length <= packed.count - read, length <= unpacked.count - written else { return nil }
                for offset in 0..<length { unpacked[written &+ offset] = packed[read &+ offset] }
                read += length
                written += length
                continue
            }
            let code = control >> 5
            var length = code + 2
            if code == 7 {
                guard read < packed.count else { return nil }
                length += Int(packed[read])
                read += 1
            }
            guard read < packed.count else { return nil }
            let distance = ((control & 0x1F) << 8 | Int(packed[read])) + 1
            read += 1
            guard distance <= written, length <= unpacked.count - written else { return nil }
            // Byte by byte: what is repeated may overlap what is written.
            for place in written..<(written + length) { unpacked[place] = unpacked[place &- distance] }
            written += length
        }
        return written
    }

    /// The largest size of packed bytes: all of them as they are, each 32 with a byte in front. A repetition never takes more
    /// space than what it stands for, not even with that of the piece that it cuts in two.
    static func largestPacked(_ count: Int) -> Int { count + count / longestLiteral + 1 }

    /// Packs `bytes`; `packed` must have space for ``largestPacked(_:)`` bytes.
    ///
    /// - Returns: how many bytes the packed ones are.
    static func pack(
        _ bytes: UnsafeBufferPointer<UInt8>, into packed: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        // For each hash of three bytes one more than the place where they were last seen; 0 for nowhere.
        var seen = [UInt32](repeating: 0, count: 1 << tableBits)
        var output = Output(packed: packed)
        var place = 0
        var literal = 0
        while place + shortestRepeat <= bytes.count {
            let slot = hash(bytes, place)
            let earlier = Int(seen[slot]) - 1
            seen[slot] = UInt32(truncatingIfNeeded: place + 1)
            let length = earlier >= 0 && place - earlier <= farthest ? common(bytes, earlier, place) : 0
            guard length >= shortestRepeat else {
                place += 1
                continue
            }
            output.writeLiterals(bytes, literal..<place)
            output.writeRepeat(length: length, distance: place - earlier)
            place += length
            literal = place
            // The last bytes of a repetition begin the next one more often than those inside it.
            for inside in (place - 2)..<place where inside + shortestRepeat <= bytes.count {
                seen[hash(bytes, inside)] = UInt32(truncatingIfNeeded: inside + 1)
            }
        }
        output.writeLiterals(bytes, literal..<bytes.count)
        return output.count
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        let three = UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2])
        // Knuth's multiplicative hash: 2^32 divided by the golden ratio.
        return Int((three &* 2_654_435_761) >> (32 - tableBits))
    }

    /// How many bytes are the same at two places, as far as a piece can repeat them.
    private static func common(_ bytes: UnsafeBufferPointer<UInt8>, _ earlier: Int, _ place: Int) -> Int {
        let most = min(longestRepeat, bytes.count - place)
        var length = 0
        while length < most, bytes[earlier + length] == bytes[place + length] { length += 1 }
        return length
    }

    /// Writes pieces.
    private struct Output {
        let packed: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        mutating func write(_ number: Int) {
            packed[count] = UInt8(truncatingIfNeeded: number)
            count += 1
        }

        mutating func writeLiterals(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            var place = range.lowerBound
            while place < range.upperBound {
                let length = min(longestLiteral, range.upperBound - place)
                write(length - 1)
                for offset in 0..<length { packed[count + offset] = bytes[place + offset] }
                count += length
                place += length
            }
        }

        mutating func writeRepeat(length: Int, distance: Int) {
            let (code, back) = (length - 2, distance - 1)
            if code < 7 {
                write(code << 5 | back >> 8)
            } else {
                write(7 << 5 | back >> 8)
                write(code - 7)
            }
            write(back & 0xFF)
        }
    }
}
