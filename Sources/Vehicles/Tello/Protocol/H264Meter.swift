/// Looks at an H.264 byte stream (Annex B) in pieces of any size: where a decoder can begin, and how many frames have begun.
///
/// A unit begins with the bytes 0 0 1; the lower five bits of the next one say what it is.
package struct H264Meter: Sendable {
    /// Frames that have begun since the first sequence parameter set.
    package private(set) var frames: UInt64 = 0
    /// Whether a sequence parameter set has come: without one no decoder can begin.
    package private(set) var hasBegun = false

    /// The three newest bytes.
    private var last: UInt32 = 0xFFFFFF
    /// Whether the next byte says what a unit is.
    private var isHeader = false

    private static let sequenceParameters: UInt8 = 7
    private static let keySlice: UInt8 = 5
    private static let slice: UInt8 = 1
    private static let begin: [UInt8] = [0, 0, 0, 1]

    /// Nothing has come.
    package init() {}

    /// Takes the next piece.
    ///
    /// - Returns: what is to be kept of it: nothing before the first sequence parameter set, which gets its start code back;
    ///   then all.
    package mutating func take(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var kept: ArraySlice<UInt8>? = hasBegun ? bytes : nil
        for index in bytes.indices {
            let byte = bytes[index]
            if isHeader {
                isHeader = false
                let kind = byte & 0x1F
                if kind == Self.sequenceParameters, !hasBegun {
                    hasBegun = true
                    kept = (Self.begin + bytes[index...])[...]
                } else if hasBegun, kind == Self.keySlice || kind == Self.slice {
                    frames &+= 1
                }
            }
            last = (last << 8 | UInt32(byte)) & 0xFFFFFF
            if last == 1 { isHeader = true }
        }
        return kept ?? []
    }
}
