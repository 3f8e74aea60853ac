@testable import IndoorMode
@testable import ModeKit
@testable import RouteKit
import PointCloud
import RouteFlight
import Testing
import UAVLink

@testable import TextScreen

@MainActor
@Suite("Golden screens of the indoor mode")
struct IndoorGoldenTests {
    /// A room of 8 by 5 by 3 m with a pillar and a table, as a scanner that stands in it would have it.
    private static func room() throws -> PlacedIndoorMap {
        var points: [SIMD3<Float>] = []
        for step in stride(from: Float(0), through: 1, by: 0.01) {
            for z in stride(from: Float(0), through: 3, by: 0.25) {
                points += [
                    SIMD3(-4 + 8 * step, -2.5, z), SIMD3(-4 + 8 * step, 2.5, z), SIMD3(-4, -2.5 + 5 * step, z),
                    SIMD3(4, -2.5 + 5 * step, z), SIMD3(1 + 0.5 * step, 0.5, z), SIMD3(1 + 0.5 * step, 1, z),
                ]
            }
            for y in stride(from: Float(-2), through: -1, by: 0.1) { points.append(SIMD3(-3 + 2 * step, y, 0.75)) }
        }
        return PlacedIndoorMap(id: 1, layers: try HeightLayers(PointCloud(offsets: points)))
    }

    private static func state(_ size: GoldenSize, _ view: IndoorViewKind) throws -> IndoorScreenState {
        var state = IndoorScreenState()
        let picture = try room()
        state.picture = picture
        state.title = "room.pcd: 9 211 points"
        state.view = view
        let plot = DotGrid(columns: size == .small ? 47 : 75, rows: size == .small ? 21 : 37)
        let bounds = picture.layers.cloud.bounds ?? CloudBounds(minimum: .zero, maximum: .zero)
        let tilt: [IndoorViewKind: Double] = [.above: .pi / 2, .side: 0, .free: 0.6]
        state.camera = CloudCamera(
            seeing: bounds, on: plot, turnRadians: view == .free ? 0.5 : 0, tiltRadians: tilt[view] ?? 0)
        state.layerText = "all 10 layers"
        state.cursor = Vector3(x: 2, y: -1, z: 1.5)
        state.route.cursorLines = ["x 2.00  y -1.00  z 1.50 m", state.layerText]
        state.scaleBar = ScaleBar(metres: 1, label: "1 m")
        state.route.points = [
            RouteMarker(position: Vector3(x: -3, y: -1, z: 1.5), label: "1", holds: true, takesSnapshot: true),
            RouteMarker(
                position: Vector3(x: 0, y: 1.5, z: 1.5), label: "2", isSelected: true, headingRadians: .pi / 2),
            RouteMarker(position: Vector3(x: 3, y: 1, z: 1), label: "3", hasFinding: true),
        ]
        state.path = state.route.points.map(\.position)
        state.vehicle = IndoorVehicle(position: Vector3(x: -3, y: 1, z: 1), headingRadians: 0)
        state.trail = [Vector3(x: -3.5, y: 2, z: 1), Vector3(x: -3, y: 1, z: 1)]
        state.route.point = [
            LabeledValue("point", "2 of 3"), LabeledValue("x, y", "0.00, 1.50 m"), LabeledValue("z", "1.50 m"),
            LabeledValue("heading", "90 deg"), LabeledValue("hold", "0.0 s"),
        ]
        state.route.plan = [
            LabeledValue("length", "7.0 m"), LabeledValue("time", "9.5 s"), LabeledValue("clearance", "0.38 m"),
            LabeledValue("battery", "needs 2 %, left 81 %"),
        ]
        state.route.findings = [FindingLine(text: "point 3 is 0.38 m from the map; 0.60 m are wanted", isFailure: true)]
        state.route.stage = .failed
        return state
    }

    private func check(_ name: String, _ state: IndoorScreenState, _ size: GoldenSize) throws {
        let screen = IndoorScreen { _ in }
        screen.show(state)
        try Golden.check(screen, name, size)
    }

    @Test("a room from above, with a route", arguments: GoldenSize.allCases)
    func above(_ size: GoldenSize) throws { try check("indoor-above", Self.state(size, .above), size) }

    @Test("on the way to the start, along a straight line", arguments: GoldenSize.allCases)
    func toStart(_ size: GoldenSize) throws {
        var state = try Self.state(size, .above)
        (state.route.stage, state.route.findings) = (.toStart, [])
        state.vehicle?.position = Vector3(x: 2, y: -2, z: 1)
        state.wayToStart = [Vector3(x: 2, y: -2, z: 1), state.route.points[0].position]
        try check("indoor-to-start", state, size)
    }

    @Test("one layer of it, from the side", arguments: GoldenSize.allCases)
    func side(_ size: GoldenSize) throws {
        var state = try Self.state(size, .side)
        state.layer = 2
        state.layerText = "layer 3 of 10: 0.60 to 0.90 m, 1 717 points"
        state.route.cursorLines[1] = state.layerText
        state.vehicle?.isOld = true
        try check("indoor-side", state, size)
    }

    @Test("in between, while it flies", arguments: GoldenSize.allCases)
    func free(_ size: GoldenSize) throws {
        var state = try Self.state(size, .free)
        (state.route.stage, state.route.progress, state.route.findings) = (.flying, 0.42, [])
        state.flown = [Vector3(x: -3, y: -1, z: 1.5), Vector3(x: -1.6, y: 0.2, z: 1.5)]
        state.route.trackError = [LabeledValue("cross-track", "mean 0.03 m"), LabeledValue("p95, max", "0.06, 0.09 m")]
        state.route.followsVehicle = true
        try check("indoor-free", state, size)
    }

    @Test("a question, and long work", arguments: GoldenSize.allCases)
    func question(_ size: GoldenSize) throws {
        var state = IndoorScreenState()
        state.title = "no map: o opens a file, P fetches one"
        state.work = IndoorProgressLine(text: "fetching /uav1/octomap_point_cloud_centers", fraction: 0.37)
        state.prompt = IndoorPrompt(
            .open, title: "Open a map", text: "scans/ro", hint: "room.pcd",
            note: "room_1.pcd  room_2.pcd")
        try check("indoor-question", state, size)
    }

    @Test("what must be agreed to", arguments: GoldenSize.allCases)
    func confirmation(_ size: GoldenSize) throws {
        var state = try Self.state(size, .above)
        state.confirmation = ConfirmationRequest(
            title: "send this trajectory?", facts: state.route.plan, findings: state.route.findings, needsForce: true)
        try check("indoor-confirmation", state, size)
    }

    @Test("small, strange and empty areas are drawn without a crash")
    func small() throws {
        let state = try Self.state(.small, .free)
        for rows in [0, 1, 2, 3, 8, 12] {
            for columns in [0, 1, 2, 5, 40, 71, 72, 300] {
                let screen = IndoorScreen { _ in }
                for shown in [IndoorScreenState(), state] {
                    screen.show(shown)
                    var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
                    Golden.draw(screen, on: &canvas, in: canvas.area)
                }
            }
        }
    }

    @Test("keys and the mouse say what the map's say, and Tab completes while a question is asked")
    func keys() throws {
        var sent: [IndoorIntent] = []
        let screen = IndoorScreen { sent.append($0) }
        screen.show(try Self.state(.small, .above))
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        #expect(sent == [.resize(columns: 47, rows: 21)])
        sent = []
        func press(_ key: KeyEvent) -> Bool { screen.handle(.key(key)) }
        for key in ["]", "[", "l", "1", "2", "3", "e", "g", "s", "x", "r", "u", "U", "o", "P"] {
            #expect(press(.typed(Character(key))), "\(key)")
        }
        #expect(
            sent == [
                .moveLayer(1), .moveLayer(-1), .toggleAllLayers, .look(.above), .look(.side), .look(.free),
                .route(.act(.send)), .route(.act(.goToStart)), .route(.act(.start)), .route(.act(.stop)),
                .route(.act(.resume)), .route(.undo), .route(.redo), .ask(.open), .pull,
            ])
        sent = []
        #expect(press(KeyEvent(.right, .control)) && press(KeyEvent(.up)) && press(KeyEvent(.enter)))
        #expect(
            sent == [
                .route(.moveCursor(columns: 8, rows: 0)), .route(.moveCursor(columns: 0, rows: 1)),
                .route(.placeAtCursor),
            ])
        // Space and Escape belong to the frame around it.
        #expect(!press(.typed(" ")) && !press(KeyEvent(.escape)))
        sent = []
        #expect(screen.handle(.mouse(MouseEvent(.press, row: 1, column: 1))))
        #expect(screen.handle(.mouse(MouseEvent(.drag, row: 2, column: 3))))
        #expect(screen.handle(.mouse(MouseEvent(.release, row: 2, column: 3))))
        #expect(screen.handle(.mouse(MouseEvent(.press, row: 21, column: 48))))
        #expect(
            sent == [
                .press(IndoorDot(x: 1, y: 2)), .drag(IndoorDot(x: 5, y: 6)), .release, .slideTo(0.5 / 21),
            ])
        var asking = try Self.state(.small, .above)
        asking.prompt = IndoorPrompt(.open, title: "Open a map", text: "ro")
        screen.show(asking)
        #expect(screen.takesText)
        sent = []
        _ = press(KeyEvent(.end))
        _ = press(.typed("o"))
        _ = press(KeyEvent(.tab))
        asking.prompt = IndoorPrompt(.open, title: "Open a map", text: "room.pcd", revision: 1)
        screen.show(asking)
        _ = press(KeyEvent(.enter))
        _ = press(KeyEvent(.escape))
        #expect(sent == [.complete("roo"), .answer("room.pcd"), .cancelPrompt])
    }

    @Test("while something is loaded, Escape gives it up; a confirmation takes y, n and F only")
    func escape() throws {
        var sent: [IndoorIntent] = []
        let screen = IndoorScreen { sent.append($0) }
        var state = IndoorScreenState()
        state.work = IndoorProgressLine(text: "reading", fraction: 0)
        screen.show(state)
        #expect(screen.handle(.key(KeyEvent(.escape))))
        state.confirmation = ConfirmationRequest(title: "?", facts: [], needsForce: true)
        screen.show(state)
        _ = screen.handle(.key(.typed("y")))
        _ = screen.handle(.key(KeyEvent(.enter)))
        #expect(sent == [.cancelWork])
        _ = screen.handle(.key(.typed("F")))
        _ = screen.handle(.key(.typed("n")))
        #expect(sent == [.cancelWork, .route(.force), .decline])
    }

    @Test("all layers together are coloured by height, one of them is not")
    func heights() throws {
        func styles(layer: Int?) throws -> Set<Style> {
            var state = try Self.state(.small, .side)
            state.layer = layer
            let screen = IndoorScreen { _ in }
            screen.show(state)
            var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
            Golden.draw(screen, on: &canvas, in: canvas.area)
            // Dots only: the slider has these colours too.
            let cells = (0..<24).flatMap { row in (0..<80).map { canvas[row, $0] } }.filter { cell in
                cell.character.unicodeScalars.allSatisfy { (0x2801...0x28FF).contains($0.value) }
            }
            return Set(cells.map(\.style))
        }
        let bands = Set((0..<HeightColors.bands).map { HeightColors.style(band: $0) })
        #expect(bands.count == HeightColors.bands)
        #expect(try styles(layer: nil).isSuperset(of: bands))
        #expect(try styles(layer: 2).isDisjoint(with: bands))
    }
}
