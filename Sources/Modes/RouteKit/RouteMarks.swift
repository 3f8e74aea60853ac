internal import ReportKit

/// How points and headings are drawn on a map.
public enum RouteMarks {
    private static let arrows: [Character] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"]

    /// The arrow nearest to a heading (0 east, counter-clockwise); a disc where there is none.
    public static func arrow(_ radians: Double) -> Character {
        guard radians.isFinite else { return "●" }
        let eighth = Int(saturating: (radians.remainder(dividingBy: 2 * .pi) / (.pi / 4)).rounded())
        return arrows[(eighth + 8) % 8]
    }

    /// A point's number, `!` where a check failed, its own heading, `=` for a hold and `*` for a snapshot.
    public static func label(_ point: RouteMarker) -> String {
        point.label + (point.hasFinding ? "!" : "") + (point.headingRadians.map { String(arrow($0)) } ?? "")
            + (point.holds ? "=" : "") + (point.takesSnapshot ? "*" : "")
    }
}
