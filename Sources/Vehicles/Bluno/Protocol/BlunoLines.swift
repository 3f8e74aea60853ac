/// Makes lines of a stream of bytes that a robot sends.
///
/// A line ends with LF, CR or both, at ``longest``, or by a pause: a program on the board may end nothing. Empty lines are dropped.
package struct BlunoLines: Sendable {
    /// The longest line, bytes; a longer one is cut into several.
    package static let longest = 256

    private var line: [UInt8] = []

    /// Without bytes.
    package init() {}

    /// Whether a line has begun that has not ended.
    package var isOpen: Bool { !line.isEmpty }

    /// Takes bytes, and returns the lines that they end.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var ended: [[UInt8]] = []
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                if let whole = end() { ended.append(whole) }
                continue
            }
            line.append(byte)
            if line.count == Self.longest, let whole = end() { ended.append(whole) }
        }
        return ended
    }

    /// Ends the line that has begun, and returns it; `nil` if none has.
    package mutating func end() -> [UInt8]? {
        guard !line.isEmpty else { return nil }
        defer { line = [] }
        return line
    }
}
