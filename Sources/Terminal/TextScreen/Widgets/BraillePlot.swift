internal import ReportKit

/// A plot in braille characters with 2x4 dots per cell.
public struct BraillePlot: Sendable {
    /// The size in cells.
    public let size: ScreenSize
    private var dots: [UInt8]
    private var styles: [Style]

    /// Creates an empty plot.
    public init(_ size: ScreenSize) {
        self.size = size
        dots = Array(repeating: 0, count: size.rows * size.columns)
        styles = Array(repeating: .plain, count: size.rows * size.columns)
    }

    /// The width in dots.
    public var width: Int { size.columns * 2 }
    /// The height in dots.
    public var height: Int { size.rows * 4 }

    /// Sets a dot and the style of its cell; 0, 0 is the upper left. Dots outside of the plot are ignored.
    public mutating func set(x: Int, y: Int, _ style: Style = .plain) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        let cell = y / 4 * size.columns + x / 2
        // Braille numbers its dots down the left column, then the right; the fourth row was added later (Unicode 3.0).
        let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
        dots[cell] |= bits[y % 4 * 2 + x % 2]
        styles[cell] = style
    }

    /// A dash pattern of a line.
    public struct Dashes: Hashable, Sendable {
        /// The number of dots set.
        public let on: Int
        /// The number of dots left out.
        public let off: Int

        /// Creates a pattern, clamped to 1 to 1000 dots on and 0 to 1000 off.
        public init(on: Int, off: Int) {
            self.on = min(max(on, 1), 1000)
            self.off = min(max(off, 0), 1000)
        }

        /// A solid line.
        public static let none = Self(on: 1, off: 0)
    }

    /// Sets the dots of a straight line (Bresenham), clipped to the plot.
    ///
    /// - Parameters:
    ///   - dashes: the dash pattern.
    ///   - phase: the offset of the line's first dot in the pattern, so that the pattern continues along a polygon.
    /// - Returns: the phase for a line that continues from the end.
    @discardableResult
    public mutating func line(
        fromX x0: Double, y y0: Double, toX x1: Double, y y1: Double, _ style: Style = .plain, dashes: Dashes = .none,
        phase: Int = 0
    ) -> Int {
        let (length, period) = (max((x1 - x0).magnitude, (y1 - y0).magnitude), dashes.on + dashes.off)
        // Longer lines reset the phase, which avoids an integer overflow.
        let after = length < 1e9 ? (phase + Int(saturating: length.rounded())) % period : 0
        guard let ends = clipped(x0, y0, x1, y1) else { return after }
        let skipped = max((ends.x0 - x0).magnitude, (ends.y0 - y0).magnitude)
        var step = skipped < 1e9 ? (phase + Int(saturating: skipped.rounded())) % period : 0
        var (x, y) = (Int(saturating: ends.x0.rounded()), Int(saturating: ends.y0.rounded()))
        let (endX, endY) = (Int(saturating: ends.x1.rounded()), Int(saturating: ends.y1.rounded()))
        let (dx, dy) = (abs(endX - x), -abs(endY - y))
        let (stepX, stepY) = (x < endX ? 1 : -1, y < endY ? 1 : -1)
        var error = dx + dy
        while true {
            if step % period < dashes.on { set(x: x, y: y, style) }
            step += 1
            if x == endX, y == endY { return after }
            let twice = 2 * error
            if twice >= dy {
                error += dy
                x += stepX
            }
            if twice <= dx {
                error += dx
                y += stepY
            }
        }
    }

    /// The part of a line inside the plot (Liang and Barsky, 1984); `nil` when there is none.
    private func clipped(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double)
        -> (x0: Double, y0: Double, x1: Double, y1: Double)?
    {
        guard x0.isFinite, y0.isFinite, x1.isFinite, y1.isFinite else { return nil }
        let (dx, dy) = (x1 - x0, y1 - y0)
        var (enter, exit) = (0.0, 1.0)
        for (p, q) in [
            (-dx, x0), (dx, Double(width - 1) - x0), (-dy, y0), (dy, Double(height - 1) - y0),
        ] {
            if p == 0 {
                if q < 0 { return nil }
            } else if p < 0 {
                enter = max(enter, q / p)
            } else {
                exit = min(exit, q / p)
            }
        }
        guard enter <= exit else { return nil }
        return (x0 + enter * dx, y0 + enter * dy, x0 + exit * dx, y0 + exit * dy)
    }

    /// Draws the plot at the area's upper left corner; cells without dots are left unchanged.
    public func draw(on canvas: inout Canvas, in area: ScreenArea) {
        for row in 0..<min(size.rows, area.rows) {
            for column in 0..<min(size.columns, area.columns) {
                let cell = row * size.columns + column
                guard dots[cell] != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots[cell])) else { continue }
                canvas[area.row + row, area.column + column] = Cell(Character(scalar), styles[cell])
            }
        }
    }
}

/// A row of small bars, the newest value at the right.
public enum Sparkline {
    /// The bars of the newest `width` values, scaled to `range` or, when it is `nil`, to the values shown. Values that are not
    /// finite are gaps.
    public static func text(
        _ values: some BidirectionalCollection<Double>, width: Int, range: ClosedRange<Double>? = nil
    )
        -> String
    {
        let shown = Array(values.suffix(max(0, width)))
        let finite = shown.filter(\.isFinite)
        let low = range?.lowerBound ?? finite.min() ?? 0
        let high = range?.upperBound ?? finite.max() ?? 1
        let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        let body = shown.map { value -> Character in
            guard value.isFinite else { return " " }
            guard high > low else { return bars[0] }
            let share = min(max((value - low) / (high - low), 0), 1)
            return bars[min(7, Int(saturating: share * 8))]
        }
        return String(repeating: " ", count: max(0, width - shown.count)) + String(body)
    }
}
