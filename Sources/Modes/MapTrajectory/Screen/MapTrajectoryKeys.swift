internal import ModeKit
internal import RouteKit
internal import TextScreen

/// Keys of the map mode, in addition to those common to all routes.
enum MapTrajectoryKeys {
    static func intent(_ key: KeyEvent) -> MapTrajectoryIntent? { RouteKeys.intent(key, letters: letters) }

    /// No keys for `missingAltitude`, `missingGround` and `missingFrame`: these prompts open while a file is read.
    private static let letters: [Character: MapTrajectoryIntent] = [
        "+": .zoom(steps: 1, around: nil), "=": .zoom(steps: 1, around: nil), "-": .zoom(steps: -1, around: nil),
        "B": .toggleBackground, "/": .ask(.goToPlace), "a": .ask(.altitude), "d": .ask(.hold), "h": .ask(.heading),
        "c": .ask(.cameraPitch), "p": .ask(.speed), "k": .ask(.deviation), "o": .ask(.open), "w": .ask(.save),
        "b": .ask(.background), "W": .ask(.world), "O": .ask(.origin), "Z": .ask(.zone),
    ]

    /// The keys that act in a state, the most useful first.
    static func help(_ state: MapTrajectoryScreenState) -> [KeyHelp] {
        let route = RouteKeyHelp(state.route)
        let canFollow = state.route.followsVehicle || state.vehicles.contains(where: \.isSelected)
        return route.flight + [RouteKeyHelp.addPoint]
            + RouteKeyHelp.possible([
                (true, KeyHelp("o", "open")), (!state.route.points.isEmpty, KeyHelp("w", "write")),
            ])
            + route.undo + route.point + route.route
            + RouteKeyHelp.possible([
                (true, KeyHelp("f", "fit")), (canFollow, KeyHelp("v", "follow the vehicle")),
                (true, KeyHelp("+ -", "zoom")), (true, KeyHelp("/", "go to a place")),
            ])
            + RouteKeyHelp.cursor
            + RouteKeyHelp.possible([
                (true, KeyHelp("b", "open a background")), (state.hasBackground, KeyHelp("B", "background on, off")),
                (true, KeyHelp("W", "world file")), (true, KeyHelp("O", "origin")), (true, KeyHelp("Z", "UTM zone")),
            ])
    }
}
