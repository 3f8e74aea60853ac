package import RouteFlight

/// What an edit needs that the route does not have: a key that does nothing says why.
extension RouteEditor {
    /// Why there is nothing to choose; it names the key that leads on.
    package static let noPoints = "no waypoints: Enter adds one"

    /// What is said instead of editing a point; `nil` if one is selected.
    package var selectionNeeded: String? {
        guard selected == nil else { return nil }
        return points.isEmpty ? Self.noPoints : "select a waypoint first (Tab)"
    }

    /// What is said instead of doing what would change nothing; `nil` if it changes something, or is no edit.
    package func need(of intent: RouteIntent) -> String? {
        switch intent {
        case .deletePoint, .toggleSnapshot, .nextHeadingRule, .turn, .nudge, .raise: return selectionNeeded
        case .insertHalfWay:
            if let selectionNeeded { return selectionNeeded }
            return selection == points.count - 1 ? "it is the last waypoint: there is no way to half way" : nil
        case .selectNext, .clear: return points.isEmpty ? Self.noPoints : nil
        case .reverse:
            guard points.count < 2 else { return nil }
            return points.isEmpty ? Self.noPoints : "one waypoint only: Enter adds another"
        case .undo: return canUndo ? nil : "nothing to undo"
        case .redo: return canRedo ? nil : "nothing to redo"
        default: return nil
        }
    }
}

extension RouteText {
    /// The options and commands of the command line that messages name, and what does the same on the screens.
    private static let ways: [(option: String, way: String)] = [
        ("give a world file (--world FILE)", "read a world file (W)"), ("(--origin LAT,LON)", "(O on the map)"),
        ("(--zone)", "(Z on the map)"), ("(goto-start)", "(g)"),
        ("(--local-origin X,Y,Z)", "(O on the map, then 'local X Y Z')"),
    ]

    /// A message with the keys in place of the options, which nobody can give here.
    package static func withKeys(_ text: String) -> String {
        ways.reduce(text) { $0.replacing($1.option, with: $1.way) }
    }
}
