/// Tells whether a row has neither commas nor quotes, without reading it byte by byte a further time.
///
/// It looks ahead in blocks, with a loop without branches, so that the compiler can use vector instructions. The rows
/// of a block with a comma or quote have to be examined one by one.
struct XYZLookahead {
    /// Some hundred rows.
    private static let blockBytes = 4096

    /// Between the row where looking ahead began and this offset there are neither commas nor quotes.
    private var plainEnd = 0
    /// The end of the last block with one of them.
    private var mixedEnd = 0

    /// Whether a row is known to have neither commas nor quotes. Rows are asked about in their order.
    @inline(__always)
    mutating func isPlain(_ bytes: UnsafeRawBufferPointer, _ row: Range<Int>) -> Bool {
        if row.upperBound <= plainEnd { return true }
        guard row.lowerBound >= mixedEnd else { return false }
        return look(bytes, row)
    }

    @inline(never)
    private mutating func look(_ bytes: UnsafeRawBufferPointer, _ row: Range<Int>) -> Bool {
        plainEnd = max(plainEnd, row.lowerBound)
        while plainEnd < row.upperBound {
            let end = min(plainEnd &+ Self.blockBytes, bytes.count)
            guard !Self.hasMarks(bytes, plainEnd, end) else {
                mixedEnd = end
                return false
            }
            plainEnd = end
        }
        return true
    }

    private static func hasMarks(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        var marks: UInt8 = 0
        var index = start
        while index < end {
            let byte = bytes[index]
            marks |= (byte == 0x2C ? 1 : 0) | (byte == 0x22 ? 1 : 0)
            index &+= 1
        }
        return marks != 0
    }
}
