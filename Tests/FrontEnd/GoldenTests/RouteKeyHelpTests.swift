@testable import IndoorMode
@testable import MapTrajectoryMode
@testable import ModeKit
@testable import RouteKit
import PointCloud
import RouteFlight
import Testing
import UAVLink

@testable import TextScreen

/// The keys that map and indoor mode offer at the bottom and in the help.
@MainActor
@Suite("Keys that act on a route now")
struct RouteKeyHelpTests {
    /// What needs a route, a selected point, or something sent.
    private static let needing = [
        "e", "g", "s", "x", "r", "u", "U", "n", "N", "Tab", "Del", "i", "a", "h", "H", "< >", "d", "c", "t", "R", "C",
        "Shift-arrows",
    ]

    private func keys(_ state: MapTrajectoryScreenState) -> [String] {
        let screen = MapTrajectoryScreen { _ in }
        screen.show(state)
        return screen.keys.map(\.keys)
    }

    private func keys(_ state: IndoorScreenState) -> [String] {
        let screen = IndoorScreen { _ in }
        screen.show(state)
        return screen.keys.map(\.keys)
    }

    private func room() throws -> PlacedIndoorMap {
        PlacedIndoorMap(
            id: 1, layers: try HeightLayers(PointCloud(offsets: [SIMD3(0, 0, 0), SIMD3(1, 1, 1), SIMD3(2, 0, 2)])))
    }

    @Test func `an empty map offers a point and a file, and nothing that needs one`() {
        let keys = keys(MapSamples.empty)
        #expect(keys.prefix(2) == ["Enter", "o"])
        for key in Self.needing + ["w", "B", "v"] { #expect(!keys.contains(key), "\(key)") }
    }

    @Test func `what can be done with the route comes first, then adding a point`() {
        var state = MapSamples.planned
        let cases: [([RouteAction], [String])] = [
            ([.send], ["e", "Enter"]), ([.start, .goToStart, .send], ["s", "g", "e", "Enter"]),
            ([.stop], ["x", "Enter"]),
            ([.resume, .start], ["r", "s", "Enter"]), ([], ["Enter", "o", "w", "u"]),
        ]
        for (actions, first) in cases {
            state.route.actions = actions
            #expect(Array(keys(state).prefix(first.count)) == first)
        }
        state.route.findings = MapSamples.failed.route.findings
        state.route.canRedo = true
        #expect(keys(state).contains("n") && keys(state).contains("U"))
    }

    @Test func `what does nothing now has no key there, and says why`() {
        var state = MapSamples.empty
        state.route.show(RouteEditor(), marked: [])
        state.route.refusals = [.send: "a trajectory needs at least two points"]
        let map = MapTrajectoryScreen { _ in }
        map.show(state)
        #expect(map.refusedKeys.first == RefusedKey(KeyHelp("e", "send"), "a trajectory needs at least two points"))
        #expect(map.refusedKeys.contains(RefusedKey(KeyHelp("u", "undo"), "nothing to undo")))
        for refused in map.refusedKeys {
            #expect(!map.keys.contains { $0.keys == refused.help.keys }, "\(refused)")
        }
        var rooms = IndoorScreenState()
        rooms.route = state.route
        let indoor = IndoorScreen { _ in }
        indoor.show(rooms)
        #expect(indoor.refusedKeys == map.refusedKeys)
    }

    @Test func `the last point has no way to insert half way, and without a selected one nothing is edited`() {
        var state = MapSamples.planned
        #expect(keys(state).contains("i") && keys(state).contains("Del"))
        for index in state.route.points.indices { state.route.points[index].isSelected = index == 3 }
        #expect(!keys(state).contains("i") && keys(state).contains("Del"))
        state.route.points[3].isSelected = false
        #expect(!keys(state).contains("Del") && keys(state).contains("Tab") && keys(state).contains("w"))
    }

    @Test func `indoors a map comes first, and what needs one is offered with it`() throws {
        var state = IndoorScreenState()
        #expect(keys(state).first == "o")
        // As on the map: a world file needs no route.
        #expect(keys(state).contains("W"))
        for key in Self.needing + ["Enter", "P", "w", "S", "E", "f", "v", "[ ]"] {
            #expect(!keys(state).contains(key), "\(key)")
        }
        state.fetchesMaps = true
        #expect(keys(state).prefix(2) == ["o", "P"])
        state.work = IndoorProgressLine(text: "reading", fraction: 0)
        #expect(keys(state).first == "Esc")
        state.work = nil
        state.picture = try room()
        #expect(keys(state).first == "Enter" && keys(state).contains("w") && keys(state).contains("[ ]"))
        state.route.points = MapSamples.planned.route.points
        state.route.actions = [.send]
        state.path = state.route.points.map(\.position)
        #expect(keys(state).prefix(2) == ["e", "Enter"])
        #expect(keys(state).contains("S") && keys(state).contains("E"))
    }

    @Test func `no key means one thing on the map and another indoors, and the key that forces has no other meaning`() {
        #expect(IndoorKeys.intent(.typed("W")) == .ask(.world) && MapTrajectoryKeys.intent(.typed("W")) == .ask(.world))
        #expect(IndoorKeys.intent(.typed("F")) == nil && MapTrajectoryKeys.intent(.typed("F")) == nil)
        // What makes a flight less safe is typed.
        #expect(IndoorKeys.intent(.typed("A")) == .ask(.obstacles))
        #expect(IndoorKeys.intent(.typed("O")) == .ask(.unknownSpace))
    }

    @Test func `every key of the help is handled`() throws {
        var map = MapSamples.planned
        map.route.actions = RouteAction.allCases
        (map.route.canRedo, map.hasBackground) = (true, true)
        map.route.findings = MapSamples.failed.route.findings
        var indoor = IndoorScreenState()
        indoor.route = map.route
        (indoor.picture, indoor.path) = (try room(), map.route.points.map(\.position))
        let mapScreen = MapTrajectoryScreen { _ in }
        mapScreen.show(map)
        let indoorScreen = IndoorScreen { _ in }
        indoorScreen.show(indoor)
        for help in mapScreen.keys {
            guard let key = KeyEvent(label: help.keys) else { continue }
            #expect(mapScreen.handle(.key(key)), "\(help.keys)")
        }
        for help in indoorScreen.keys {
            guard let key = KeyEvent(label: help.keys) else { continue }
            #expect(indoorScreen.handle(.key(key)), "\(help.keys)")
        }
    }
}
