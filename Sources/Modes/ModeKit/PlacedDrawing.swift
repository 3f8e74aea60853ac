package import TextScreen

extension ScreenArea {
    /// Where `draw` places something in this area: what it draws is discarded. For clicks on what was drawn in the same way.
    package func placed<Places>(_ draw: (inout Canvas) -> Places) -> Places {
        var canvas = Canvas(ScreenSize(rows: row + rows, columns: column + columns))
        return draw(&canvas)
    }
}
