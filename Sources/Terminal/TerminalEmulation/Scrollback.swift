/// The lines that were scrolled off the top of the screen, the newest last. Bounded in lines and in cells.
struct Scrollback {
    /// The most lines kept.
    static let mostLines = 10_000
    /// The most cells kept, 32 bytes each: 10,000 lines of 100 columns.
    static let mostCells = 1_000_000

    private var ring: [TerminalLine] = []
    /// The index of the oldest line in `ring`; the lines before it are dropped.
    private var start = 0
    private var cellCount = 0
    /// The number of dropped lines.
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

    /// Removes and returns the newest line, for a screen that has become taller.
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
