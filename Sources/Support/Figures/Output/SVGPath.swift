internal import ReportKit

/// The data of an SVG path, in whole tenths of a point from one position to the next: short, and as fine as lines are
/// thinned.
struct SVGPath {
    /// Units in a point.
    static let unit = 10.0

    private(set) var text = ""
    /// The position in units; steps are taken between rounded positions, so that their errors do not add up.
    private var at: SIMD2<Int>?

    /// Moves there, or draws a line to there from the last position.
    mutating func line(to point: SIMD2<Double>) {
        let there = Self.units(point)
        guard let at else { return move(to: there) }
        let (right, down) = (there.x - at.x, there.y - at.y)
        if down == 0 {
            text += "h\(right)"
        } else if right == 0 {
            text += "v\(down)"
        } else {
            text += "l\(right)\(down < 0 ? "" : " ")\(down)"
        }
        self.at = there
    }

    /// A line of no length: a round pen leaves a disc.
    mutating func dot(at point: SIMD2<Double>) {
        move(to: Self.units(point))
        text += "h0"
    }

    private mutating func move(to there: SIMD2<Int>) {
        let from = at ?? .zero
        let (right, down) = (there.x - from.x, there.y - from.y)
        // The first one of a path is absolute, whatever its letter.
        text += "m\(right)\(down < 0 ? "" : " ")\(down)"
        at = there
    }

    private static func units(_ point: SIMD2<Double>) -> SIMD2<Int> {
        SIMD2(Int(saturating: (point.x * unit).rounded()), Int(saturating: (point.y * unit).rounded()))
    }
}
