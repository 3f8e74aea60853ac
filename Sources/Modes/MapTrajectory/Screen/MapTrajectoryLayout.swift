internal import TextScreen

/// The layout of the map screen.
struct MapTrajectoryLayout {
    /// The frame around the map.
    let frame: ScreenArea
    /// The map itself.
    let map: ScreenArea
    /// The text panel; `nil` when the screen is too narrow.
    let panel: ScreenArea?
    /// Lines at the bottom, over the whole width.
    let lines: ScreenArea

    private static let leastColumnsWithPanel = 72

    init(_ area: ScreenArea) {
        let hasPanel = area.columns >= Self.leastColumnsWithPanel
        let (upper, lines) = area.split(top: max(0, area.rows - (hasPanel ? 1 : 3)))
        self.lines = lines
        if hasPanel {
            let width = area.columns >= 110 ? 42 : 30
            let (left, right) = upper.split(left: upper.columns - width)
            frame = left
            panel = right.inset(left: 1)
        } else {
            frame = upper
            panel = nil
        }
        map = frame.inset(top: 1, left: 1, bottom: 1, right: 1)
    }
}
