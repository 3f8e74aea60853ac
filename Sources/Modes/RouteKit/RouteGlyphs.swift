internal import ReportKit

/// Characters for points and headings on a map.
package enum RouteGlyphs {
    private static let arrows: [Character] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"]

    /// The arrow nearest to a heading in radians (0 east, counter-clockwise); a disc when it is not finite.
    package static func arrow(_ radians: Double) -> Character {
        guard radians.isFinite else { return "●" }
        let eighth = Int(saturating: (radians.remainder(dividingBy: 2 * .pi) / (.pi / 4)).rounded())
        return arrows[(eighth + 8) % 8]
    }

    /// The point's number, `!` for a failed check, an arrow for its own heading, `=` for a hold and `*` for a snapshot.
    package static func label(_ point: RouteMarker) -> String {
        label(
            point.label, arrow: point.headingRadians.map(arrow), hasFinding: point.hasFinding, holds: point.holds,
            takesSnapshot: point.takesSnapshot)
    }

    /// The same from its parts; `arrow` shows its own heading as the view does.
    package static func label(
        _ label: String, arrow: Character?, hasFinding: Bool, holds: Bool, takesSnapshot: Bool
    ) -> String {
        label + (hasFinding ? "!" : "") + (arrow.map { String($0) } ?? "") + (holds ? "=" : "")
            + (takesSnapshot ? "*" : "")
    }
}
