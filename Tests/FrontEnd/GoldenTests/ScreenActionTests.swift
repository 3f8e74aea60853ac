import PointCloud
import RouteFlight
import Testing
import UAVLink

@testable import FlightPlanMode
@testable import IndoorMode
@testable import JoystickMode
@testable import LatencyLabMode
@testable import MapTrajectoryMode
@testable import MenuMode
@testable import ModeKit
@testable import RemoteTerminalMode
@testable import RobotMode
@testable import RouteKit
@testable import TelemetryMode
@testable import TextScreen
@testable import Workspace

/// The list of the screens' actions, by which the palette finds them from everywhere, is what the screens themselves offer.
@MainActor
@Suite struct ScreenActionTests {
    /// The keys that are no actions: they leave, stop, choose, type or answer.
    private static let others: Set<String> = [
        "Enter: show all", "Enter: send the line", "Enter: choose, type", "Enter: send", "Enter: cancel the request",
        "Enter: release control", "F9: leave", "q: quit", "x: hover", "1: open", "L: land", "t: take off", "l: land",
        "D: disarm on the ground",
    ]

    /// Those that steer while they are held.
    private static let steering: Set<String> = ["w s a d", "q e", "r f"]

    private nonisolated static func words(_ help: KeyHelp) -> String {
        "\(help.keys.split(separator: " ").first.map(String.init) ?? ""): \(help.action)"
    }

    private func keys(_ mode: Mode) throws -> [KeyHelp] {
        switch mode {
        case .login: return []
        case .menu: return MenuScreen { _ in }.keys
        case .joystick:
            let toggles: [JoystickScreenState.Toggle] = [.take, .release]
            return toggles.flatMap { (toggle: JoystickScreenState.Toggle) -> [KeyHelp] in
                var state = JoystickScreenState()
                (state.toggle, state.hasDisarming) = (toggle, true)
                return JoystickKeyHelp(state).keys
            }
        case .telemetry:
            let screen = TelemetryScreen { _ in }
            screen.resize(to: ScreenArea(rows: 40, columns: 120))
            screen.show(TelemetrySamples.topic)
            return screen.keys + screen.refusedKeys.map(\.help)
        case .terminal:
            return [TerminalForm.shell, .simple].flatMap { (form: TerminalForm) -> [KeyHelp] in
                var state = TerminalScreenState()
                state.form = form
                state.shell.connection = .open
                return TerminalKeys(state: state).all
            }
        case .mapTrajectory:
            var state = MapSamples.planned
            (state.route, state.hasBackground) = (full(state.route), true)
            return MapTrajectoryKeys.help(state) + RouteKeyHelp(state.route).refused.map(\.help)
        case .indoor:
            var state = IndoorScreenState()
            (state.route, state.fetchesMaps) = (full(MapSamples.planned.route), true)
            state.picture = PlacedIndoorMap(
                id: 1, layers: try HeightLayers(PointCloud(offsets: [SIMD3(0, 0, 0), SIMD3(1, 1, 1), SIMD3(2, 0, 2)])))
            state.path = state.route.points.map(\.position)
            return IndoorKeys.help(state)
        case .latencyLab:
            return LatencyLabKeys.help(LatencyLabSamples.choosing, in: nil)
                + LatencyLabKeys.help(LatencyLabSamples.reading(.distribution), in: nil)
        case .robot:
            return RobotTab.allCases.flatMap { (tab: RobotTab) -> [KeyHelp] in
                [false, true].flatMap { (isOn: Bool) -> [KeyHelp] in
                    var state = RobotScreenState()
                    (state.tab, state.radio, state.isHex) = (tab, RobotRadioView(), isOn)
                    state.radio?.isScanning = isOn
                    state.radio?.boards = [KeyHelp("AA", "board")]
                    state.controller = isOn ? "pad" : nil
                    state.tasks = [RobotTask(name: "Dance", text: "5")]
                    return RobotKeys.help(state)
                }
            }
        case .flightPlan:
            var planned = FlightPlanSamples.planned
            (planned.isOK, planned.canFly) = (true, true)
            let flights = [nil, PlanFlightLine(.flying, "flies"), PlanFlightLine(.paused, "hovers")]
            let states = flights.map { (flight: PlanFlightLine?) -> FlightPlanScreenState in
                var state = planned
                state.flight = flight
                return state
            }
            var turned = planned
            turned.panel = planned.panel == .map ? .states : .map
            return (states + [turned]).flatMap { FlightPlanKeys.help($0) }
        }
    }

    /// A route on which every key acts.
    private func full(_ route: RouteScreenState) -> RouteScreenState {
        var route = route
        (route.actions, route.canUndo, route.canRedo) = (RouteAction.allCases, true, true)
        (route.followsVehicle, route.findings) = (true, MapSamples.failed.route.findings)
        return route
    }

    @Test(arguments: [
        Mode.menu, .joystick, .telemetry, .mapTrajectory, .indoor, .terminal, .latencyLab, .robot, .flightPlan,
    ])
    func `the palette's list of a screen has its keys, and no others`(_ mode: Mode) throws {
        // What only moves, scrolls, leaves or stops, and what is no single key.
        let actions = try keys(mode).filter { help in
            guard let key = KeyEvent(label: help.keys), let first = help.keys.first else { return false }
            guard !"↑↓←→".contains(first), !Self.steering.contains(help.keys) else { return false }
            return ![.escape, .pageUp, .home, .character(" ")].contains(key.key)
        }
        let (shown, listed) = (Set(actions.map(Self.words)), Set(ScreenActions.of(mode).map(Self.words)))
        let (missing, stale) = (shown.subtracting(listed).subtracting(Self.others), listed.subtracting(shown))
        #expect(missing.isEmpty && stale.isEmpty, "not in the list: \(missing); on no screen: \(stale)")
    }
}
