package import ModeKit
internal import RouteFlight

/// The help of the keys common to all modes with a route: those that act in its present state.
package struct RouteKeyHelp {
    private let state: RouteScreenState

    /// The keys that act in a state.
    package init(_ state: RouteScreenState) { self.state = state }

    /// Adding a point at the cursor.
    package static let addPoint = KeyHelp("Enter", "add point")

    /// Sending and flying, the most useful first.
    package var flight: [KeyHelp] { state.actions.map(Self.help) }

    /// Those that are not possible now, with the reason: of sending and flying, then of editing.
    package var refused: [RefusedKey] {
        RouteAction.allCases.compactMap { action in state.refusals[action].map { RefusedKey(Self.help(action), $0) } }
            + state.needs
    }

    /// The edits that may need something that the route does not have.
    static let edits: [(help: KeyHelp, intent: RouteIntent)] = [
        (KeyHelp("u", "undo"), .undo), (KeyHelp("U", "redo"), .redo), (KeyHelp("Tab", "next point"), .selectNext(1)),
        (KeyHelp("Del", "delete"), .deletePoint), (KeyHelp("i", "insert half way"), .insertHalfWay),
        (KeyHelp("H", "next heading rule"), .nextHeadingRule), (KeyHelp("t", "snapshot"), .toggleSnapshot),
        (KeyHelp("R", "reverse"), .reverse), (KeyHelp("C", "clear"), .clear),
    ]

    /// All that have a name, whatever the state of the route.
    package static var named: [KeyHelp] {
        let others = [
            KeyHelp("n", "next finding"), KeyHelp("N", "previous finding"), KeyHelp("a", "altitude"),
            KeyHelp("h", "heading"), KeyHelp("d", "hold"), KeyHelp("c", "camera"), KeyHelp("p", "speed"),
            KeyHelp("k", "corners"), KeyHelp("< >", "turn by 15°"),
        ]
        return RouteAction.allCases.map { help($0) } + [addPoint] + edits.map { $0.help } + others
    }

    /// The key of an action.
    static func help(_ action: RouteAction) -> KeyHelp {
        switch action {
        case .send: KeyHelp("e", "send")
        case .goToStart: KeyHelp("g", "go to start")
        case .start: KeyHelp("s", "start")
        case .stop: KeyHelp("x", "stop")
        case .resume: KeyHelp("r", "resume")
        }
    }

    /// Taking back edits, and the findings of the checks.
    package var undo: [KeyHelp] {
        Self.possible([
            (state.canUndo, KeyHelp("u", "undo")), (state.canRedo, KeyHelp("U", "redo")),
            (!state.findings.isEmpty, KeyHelp("n", "next finding")),
            (!state.findings.isEmpty, KeyHelp("N", "previous finding")),
        ])
    }

    /// Selecting a point, and what is done with the selected one.
    package var point: [KeyHelp] {
        let select = state.points.isEmpty ? [] : [KeyHelp("Tab", "next point")]
        guard let selection = state.selection else { return select }
        return select + [KeyHelp("Del", "delete")]
            + (selection + 1 < state.points.count ? [KeyHelp("i", "insert half way")] : [])
            + [
                KeyHelp("a", "altitude"), KeyHelp("PgUp PgDn", "raise, lower by 1 m (Shift: 0.1 m)"),
                KeyHelp("Shift-arrows", "move the point"), KeyHelp("h", "heading"), KeyHelp("H", "next heading rule"),
                KeyHelp("< >", "turn by 15°"), KeyHelp("d", "hold"), KeyHelp("c", "camera"), KeyHelp("t", "snapshot"),
            ]
    }

    /// The whole route.
    package var route: [KeyHelp] {
        Self.possible([
            (state.points.count > 1, KeyHelp("R", "reverse")), (!state.points.isEmpty, KeyHelp("C", "clear")),
            (true, KeyHelp("p", "speed")), (true, KeyHelp("k", "corners")),
        ])
    }

    /// Moving the cursor and the view.
    package static let cursor = [
        KeyHelp("← → ↑ ↓", "move the cursor"), KeyHelp("Ctrl-arrows", "in large steps"),
        KeyHelp("Alt-arrows", "move the view"),
    ]

    /// The keys whose condition holds.
    package static func possible(_ keys: [(Bool, KeyHelp)]) -> [KeyHelp] { keys.filter(\.0).map(\.1) }
}
