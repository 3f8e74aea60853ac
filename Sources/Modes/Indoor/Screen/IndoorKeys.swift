internal import ModeKit
internal import RouteKit
internal import TextScreen

/// Keys of the indoor mode, in addition to those common to all routes.
///
/// `F` has no meaning: in a question it forces what has failed a check. What makes a flight less safe is typed into a prompt, so
/// that no key changes it by itself.
enum IndoorKeys {
    private static let turnDegrees = 15.0

    static func intent(_ key: KeyEvent) -> IndoorIntent? { RouteKeys.intent(key, letters: letters) }

    private static let letters: [Character: IndoorIntent] = [
        "+": .zoom(steps: 1, dot: nil), "=": .zoom(steps: 1, dot: nil), "-": .zoom(steps: -1, dot: nil),
        "]": .moveLayer(1), "[": .moveLayer(-1), "l": .toggleAllLayers, "1": .look(.above), "2": .look(.side),
        "3": .look(.free), ",": .turnView(degrees: turnDegrees), ".": .turnView(degrees: -turnDegrees),
        "{": .tiltView(degrees: -turnDegrees), "}": .tiltView(degrees: turnDegrees), "A": .ask(.obstacles),
        "b": .toggleBestOrder, "O": .ask(.unknownSpace), "E": .takePath, "a": .ask(.altitude), "d": .ask(.hold),
        "h": .ask(.heading), "c": .ask(.cameraPitch), "p": .ask(.speed), "k": .ask(.deviation), "o": .ask(.open),
        "w": .ask(.save), "L": .ask(.layers), "T": .ask(.spacing), "P": .pull, "z": .ask(.body),
        "m": .ask(.freeStart), "I": .ask(.openPoints), "S": .ask(.savePoints), "W": .ask(.world),
    ]

    /// The keys that act in a state, the most useful first.
    static func help(_ state: IndoorScreenState) -> [KeyHelp] {
        let (route, hasMap) = (RouteKeyHelp(state.route), state.picture != nil)
        let canFollow = state.route.followsVehicle || state.vehicle != nil
        let isPlanned = !state.path.isEmpty && state.route.isPathCurrent
        let maps = RouteKeyHelp.possible([
            (true, KeyHelp("o", "open a map")), (state.fetchesMaps, KeyHelp("P", "fetch a map")),
        ])
        return RouteKeyHelp.possible([(state.work != nil, KeyHelp("Esc", "cancel"))]) + route.flight
            + (hasMap ? [RouteKeyHelp.addPoint] + route.undo + layers + maps : maps)
            + route.point
            + RouteKeyHelp.possible([
                (state.route.selection == nil, KeyHelp("PgUp PgDn", "cursor up, down by 1 m (Shift: 0.1 m)"))
            ])
            + route.route
            + RouteKeyHelp.possible([
                (true, KeyHelp("I", "open points")), (!state.route.points.isEmpty, KeyHelp("S", "write points")),
                (isPlanned, KeyHelp("E", "edit the path")), (true, KeyHelp("W", "world file")),
                (true, KeyHelp("A", "obstacles of the map")),
                (true, KeyHelp("b", "best or route order")), (true, KeyHelp("z", "vehicle size")),
                (true, KeyHelp("m", "free start")), (true, KeyHelp("O", "unknown space")),
                (hasMap, KeyHelp("f", "fit")), (canFollow, KeyHelp("v", "follow the vehicle")),
            ])
            + view + RouteKeyHelp.cursor
            + RouteKeyHelp.possible([
                (true, KeyHelp("L", "number of layers")), (true, KeyHelp("T", "thin the map")),
                (hasMap, KeyHelp("w", "write the map")),
            ])
    }

    private static let layers = [KeyHelp("[ ]", "layer down, up"), KeyHelp("l", "all layers or one")]
    private static let view = [
        KeyHelp("1 2 3", "top, side, oblique view"), KeyHelp("+ -", "zoom"), KeyHelp(", .", "turn the view"),
        KeyHelp("{ }", "tilt the view"),
    ]
}
