internal import TextScreen

/// Where the parts of the workspace are on a terminal.
struct WorkspaceLayout {
    /// The smallest supported terminal size; with a smaller one only a message is drawn.
    static let smallest = ScreenSize(rows: 12, columns: 40)

    let bars: ScreenArea
    /// The mode's screen, and what is drawn over it.
    let middle: ScreenArea
    /// The two lines below the screen.
    let foot: ScreenArea

    /// Creates the layout; `nil` when the terminal is too small.
    init?(_ area: ScreenArea) {
        guard area.rows >= Self.smallest.rows, area.columns >= Self.smallest.columns else { return nil }
        let below: ScreenArea
        (bars, below) = area.split(top: 2)
        (middle, foot) = below.split(top: below.rows - 2)
    }

    @MainActor
    static func drawTooSmall(on canvas: inout Canvas, in area: ScreenArea) {
        let text = "terminal too small: needs \(smallest.columns)x\(smallest.rows); F7 hovers"
        canvas.writeParagraph(text, in: area, .tone(.warning))
    }
}
