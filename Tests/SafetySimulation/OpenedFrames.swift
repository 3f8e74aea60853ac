/// Which frames an end of a session has opened, counted apart from its replay window, which is judged by it.
struct OpenedFrames {
    private var words: [UInt64] = []

    /// A frame of that number was opened; whether it is the first.
    mutating func note(_ sequence: UInt64) -> Bool {
        let word = Int(sequence / 64)
        while words.count <= word { words.append(0) }
        let bit: UInt64 = 1 << (sequence % 64)
        defer { words[word] |= bit }
        return words[word] & bit == 0
    }
}
