internal import TextScreen

/// Where things stand on the map's screen.
struct MapTrajectoryLayout {
    /// The frame around the map.
    let frame: ScreenArea
    /// The map itself.
    let map: ScreenArea
    /// The words beside it; `nil` where it is too narrow for them.
    let panel: ScreenArea?
    /// Lines below, over the whole width.
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
