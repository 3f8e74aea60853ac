internal import ReportKit
package import TextScreen

/// A scale bar, drawn in a corner of the map.
package struct ScaleBar: Hashable, Sendable {
    /// The length in the world, metres.
    package var metres: Double
    /// The length as text: `50 m`, `2 km`.
    package var label: String

    package init(metres: Double, label: String) {
        self.metres = metres
        self.label = label
    }

    /// Draws the bar at the map's scale into the frame's lower edge, where it fits beside `reserved` columns.
    package func draw(metresPerColumn: Double, reserved: Int, on canvas: inout Canvas, in frame: ScreenArea) {
        let cells = (metres / metresPerColumn).rounded()
        guard cells.isFinite, cells >= 2, Int(saturating: cells) + label.cells + reserved < frame.columns else {
            return
        }
        let bar = "├" + String(repeating: "─", count: Int(saturating: cells) - 2) + "┤ \(label) "
        canvas.write(" \(bar)", row: frame.rows - 1, column: 2, in: frame)
    }
}
