@testable import MapTrajectoryMode
@testable import ModeKit
@testable import RouteKit
import RouteFiles
import Testing
import UAVLink

@testable import TextScreen

@MainActor
@Suite("Golden screens of the map")
struct MapTrajectoryGoldenTests {
    private func check(
        _ state: MapTrajectoryScreenState, _ name: String, _ size: GoldenSize,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let screen = MapTrajectoryScreen { _ in }
        screen.show(state)
        try Golden.check(screen, name, size, sourceLocation: sourceLocation)
    }

    @Test("nothing known yet", arguments: GoldenSize.allCases)
    func empty(_ size: GoldenSize) throws { try check(MapSamples.empty, "map-empty", size) }

    @Test("a route that passed the checks", arguments: GoldenSize.allCases)
    func planned(_ size: GoldenSize) throws { try check(MapSamples.planned, "map-planned", size) }

    @Test("a route that cuts through a notch of the safety area", arguments: GoldenSize.allCases)
    func failed(_ size: GoldenSize) throws { try check(MapSamples.failed, "map-failed", size) }

    @Test("on the way to its start", arguments: GoldenSize.allCases)
    func toStart(_ size: GoldenSize) throws { try check(MapSamples.toStart, "map-to-start", size) }

    @Test("in flight, with what was flown", arguments: GoldenSize.allCases)
    func flying(_ size: GoldenSize) throws { try check(MapSamples.flying, "map-flying", size) }

    @Test("a question for an altitude", arguments: GoldenSize.allCases)
    func prompt(_ size: GoldenSize) throws {
        var state = MapSamples.planned
        state.prompt = MapPrompt(
            .missingAltitude, title: "altitude of the waypoints: the file has none", text: "12 ground",
            hint: "12 ground, 350 amsl, 5 home or 5 world",
            note: "expected a number and its reference: ground, home, amsl, ellipsoid, world")
        try check(state, "map-prompt", size)
    }

    @Test("the confirmation before it is sent", arguments: GoldenSize.allCases)
    func confirmation(_ size: GoldenSize) throws {
        var state = MapSamples.failed
        state.confirmation = ConfirmationRequest(
            title: "send this trajectory?",
            facts: state.route.plan + [
                LabeledValue("to the start", "5.0 m"),
                LabeledValue("least clearance", "not known", isWarning: true),
            ],
            findings: state.route.findings, needsForce: true)
        try check(state, "map-confirmation", size)
    }

    @Test("a small terminal: the map and four lines", arguments: [(12, 40), (19, 60)])
    func small(_ rows: Int, _ columns: Int) throws {
        var sent: [MapTrajectoryIntent] = []
        let screen = MapTrajectoryScreen { sent.append($0) }
        screen.show(MapSamples.failed)
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        let stage = try #require(canvas.lines.firstIndex { $0.contains("a check failed") })
        #expect(canvas.lines[stage...(stage + 1)].contains { $0.contains("✗") })
        #expect(canvas.lines.last?.contains("origin 49.36225") == true)
        #expect(sent == [.resize(columns: columns - 2, rows: rows - 6)])
    }

    @Test("any size from nothing to the largest is drawn without harm")
    func sizes() {
        for rows in [0, 1, 2, 3, 5, 12, 19, 24, 60, 500] {
            for columns in [0, 1, 2, 10, 39, 40, 71, 72, 80, 110, 200, 1000] {
                for var state in [MapSamples.empty, MapSamples.failed, MapSamples.flying] {
                    state.confirmation =
                        rows.isMultiple(of: 5) ? ConfirmationRequest(title: "?", facts: state.route.plan) : nil
                    state.prompt = MapPrompt(.open, title: "Open", hint: "a path")
                    let screen = MapTrajectoryScreen { _ in }
                    screen.show(state)
                    var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
                    Golden.draw(screen, on: &canvas, in: canvas.area)
                }
            }
        }
    }

    @Test("places that are none, and far ones, are not drawn and do no harm")
    func strange() {
        var state = MapSamples.planned
        for value in [Double.nan, .infinity, 1e300, -1e18] {
            let nowhere = MapPlace(east: value, north: 0)
            state.cursor = nowhere
            state.home = nowhere
            state.safetyArea.append(nowhere)
            state.path.append(nowhere)
            state.route.points.append(
                RouteMarker(position: Vector3(x: value, y: 0, z: value), label: "9", headingRadians: value))
            state.vehicles.append(
                MapVehicle(place: nowhere, headingRadians: value, trail: [nowhere], title: "x", isSelected: false))
            state.grid.append(MapGridLine(from: nowhere, to: nowhere, label: "?"))
            state.background.append(MapShape(kind: .water, isArea: true, corners: [nowhere, nowhere, nowhere]))
            state.route.progress = value
            state.northRadians = value
            state.scaleBar.metres = value
        }
        for size in GoldenSize.allCases {
            let screen = MapTrajectoryScreen { _ in }
            screen.show(state)
            var canvas = Canvas(size.size)
            Golden.draw(screen, on: &canvas, in: canvas.area)
        }
    }
}
