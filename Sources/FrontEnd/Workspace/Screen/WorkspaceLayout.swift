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

    /// - Parameter asksToLand: whether an emergency landing is asked about: its question has no place, and is answered all the same.
    @MainActor
    static func drawTooSmall(on canvas: inout Canvas, in area: ScreenArea, asksToLand: Bool = false) {
        let text =
            asksToLand
            ? "EMERGENCY LANDING? y lands now, n does not"
            : "terminal too small: needs \(smallest.columns)x\(smallest.rows); F7 hovers, F8 asks to land"
        canvas.writeParagraph(text, in: area, .tone(.warning))
    }
}

extension InputEvent {
    /// Whether it acts on a terminal that is too small to show anything: only what stops, leads back or quits, and what ends
    /// that which was pressed before.
    ///
    /// - Parameter takesText: whether Space is text.
    func actsUnseen(_ takesText: Bool) -> Bool {
        if case .mouse(let mouse) = self { return mouse.action == .release }
        guard case .key(let key) = self else { return false }
        if key.isPress(of: .escape, []) || key.isPress(of: .character("c"), .control) { return true }
        return key.isPress(of: .character(" "), []) && !takesText
    }
}
