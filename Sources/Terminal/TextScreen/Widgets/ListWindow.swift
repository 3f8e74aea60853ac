/// The part of a list that is shown where the whole does not fit.
///
/// Every list that can be longer than its place is drawn with it, and with the signs of ``Canvas/drawMarks(of:on:_:)``.
public struct ListWindow: Hashable, Sendable {
    /// The number of entries of the list.
    public let count: Int
    /// The number of entries that fit.
    public let rows: Int
    /// The index of the first one that is shown.
    public let first: Int

    /// A window that begins at an entry, or earlier where the list ends before the window does.
    public init(count: Int, rows: Int, first: Int) {
        self.count = max(0, count)
        self.rows = max(0, rows)
        self.first = min(max(0, first), max(0, self.count - self.rows))
    }

    /// A window with an entry in its middle, as far as the ends of the list allow.
    public init(count: Int, rows: Int, around entry: Int) {
        self.init(count: count, rows: rows, first: entry - rows / 2)
    }

    /// The indices of what is shown.
    public var shown: Range<Int> { first..<first + min(rows, count - first) }
    /// The number of entries above the first one that is shown.
    public var above: Int { first }
    /// The number of entries below the last one that is shown.
    public var below: Int { count - shown.upperBound }
}

extension Canvas {
    /// Draws the signs that a list goes on, `▲ 3 more` and `▼ 12 more`, into the upper and the lower line of the frame around it.
    public mutating func drawMarks(of window: ListWindow, on frame: ScreenArea, _ style: Style = .title) {
        guard window.rows > 0, frame.rows > 1 else { return }
        if window.above > 0 { writeRight(" ▲ \(window.above) more ", row: 0, margin: 2, in: frame, style) }
        if window.below > 0 {
            writeRight(" ▼ \(window.below) more ", row: frame.rows - 1, margin: 2, in: frame, style)
        }
    }
}
