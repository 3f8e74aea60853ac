/// The lines that have left the screen at its top, the newest last. Bounded in lines and in cells.
struct Scrollback {
    /// The most lines that are kept.
    static let mostLines = 10_000
    /// The most cells that are kept, of 32 bytes each: lines of a hundred columns reach the bound together with the lines.
    static let mostCells = 1_000_000

    private var ring: [TerminalLine] = []
    /// Where the oldest line stands in `ring`; the ones before it are forgotten already.
    private var start = 0
    private var cellCount = 0
    /// How many lines have been forgotten.
    private(set) var forgotten = 0

    var count: Int { ring.count - start }

    subscript(index: Int) -> TerminalLine { ring[start + index] }

    mutating func push(_ line: TerminalLine) {
        ring.append(line)
        cellCount += line.cells.count
        while count > Self.mostLines || cellCount > Self.mostCells, count > 1 { forgetOldest() }
        if start > Self.mostLines / 2 {
            ring.removeFirst(start)
            start = 0
        }
    }

    /// Takes the newest one back, for a screen that has become higher.
    mutating func pop() -> TerminalLine? {
        guard count > 0 else { return nil }
        let line = ring.removeLast()
        cellCount -= line.cells.count
        return line
    }

    private mutating func forgetOldest() {
        cellCount -= ring[start].cells.count
        ring[start] = TerminalLine()
        start += 1
        forgotten += 1
    }
}
