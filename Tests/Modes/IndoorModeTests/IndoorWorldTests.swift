import FlightControl
import IndoorMode
import IntegrationKit
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// The world that the indoor screen plans in: the vehicle's own, or the one that was read here or on the map.
@MainActor
@Suite("Indoor: the world")
struct IndoorWorldTests {
    /// A square around the origin with a column beside the middle.
    private static func text(half: Double) -> String {
        """
        world_origin: {units: "LATLON", origin_x: 47.397743, origin_y: 8.545594}
        safety_area:
          enabled: true
          horizontal: {frame_name: "world_origin", points: [-\(half), -\(half), \(half), -\(half), \(half), \(half), -\(half), \(half)]}
          vertical: {frame_name: "world_origin", min_z: -2.0, max_z: 15.0}
          obstacles:
            present: true
            obstacle_0:
              horizontal: {frame_name: "world_origin", points: [0, 30, 1, 30, 1, 31]}
              vertical: {frame_name: "world_origin", min_z: -20.0, max_z: 2.0}
        """
    }

    private func bench(half: Double) async throws -> IndoorBench {
        let link = FakeLink()
        link.setVehicleSilent(true)
        link.survey.world = VehicleWorld(
            path: "/home/mrs/world.yaml", .document(.file, Array(Self.text(half: half).utf8)))
        try await link.connect(within: .seconds(5))
        let bench = try IndoorBench(link, planner: FakeIndoorPlanner())
        try await bench.open()
        bench.tell(.flying)
        bench.send(.route(.placeAtCursor), .route(.moveCursor(columns: 8, rows: 0)), .route(.placeAtCursor))
        return bench
    }

    @Test("its border and obstacles are drawn, at both heights and as far as the border reaches")
    func drawing() async throws {
        let bench = try await bench(half: 40)
        #expect(await bench.reaches { !bench.view.state.border.isEmpty })
        // Two rings and four edges; of the obstacle, two rings and three edges.
        #expect(bench.view.state.border.count == 6 && bench.view.state.obstacles.count == 5)
        let heights = Set(bench.view.state.border.joined().map(\.z))
        #expect(heights == [-2, 15])
        #expect(Set(bench.view.state.obstacles.joined().map(\.z)) == [-2, 2])
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.instance.detach()
    }

    @Test("a route that leaves it fails")
    func leaving() async throws {
        let bench = try await bench(half: 0.05)
        #expect(await bench.reaches { bench.view.state.route.stage == .failed })
        #expect(
            bench.view.state.route.findings.contains { $0.isFailure && $0.text.contains("the safety area") },
            "\(bench.view.state.route.findings)")
        bench.instance.detach()
    }

    /// A bench of a vehicle whose own world reaches 40 m, and whose profile names a world file.
    private func bench(profile text: String) async throws -> IndoorBench {
        let (link, timeSource) = (FakeLink(), FakeTimeSource())
        link.setVehicleSilent(true)
        link.survey.world = VehicleWorld(
            path: "/home/mrs/world.yaml", .document(.file, Array(Self.text(half: 40).utf8)))
        try await link.connect(within: .seconds(5))
        let fleet = Fleet(timeSource: timeSource)
        let bench = try IndoorBench(link, fleet: fleet, timeSource: timeSource, planner: FakeIndoorPlanner())
        var profile = VehicleProfile(name: "hexa1")
        profile.world = try bench.folder.write(text, to: "field.yaml")
        fleet.add(profile: profile, link: link)
        bench.view.presenter?.look()
        try await bench.open()
        bench.tell(.flying)
        bench.send(.route(.placeAtCursor), .route(.moveCursor(columns: 8, rows: 0)), .route(.placeAtCursor))
        return bench
    }

    @Test("the world that the profile names has precedence over it, and a difference is a warning")
    func ofProfile() async throws {
        let bench = try await bench(profile: Self.text(half: 20))
        func reach() -> Double? { bench.view.state.border.joined().map(\.x).max() }
        #expect(await bench.reaches { reach().map { abs($0 - 20) < 0.01 } == true }, "\(String(describing: reach()))")
        #expect(
            await bench.reaches {
                bench.view.state.route.findings.contains {
                    $0.text.hasPrefix("the border of the vehicle's own safety area differs")
                }
            }, "\(bench.view.state.route.findings)")
        bench.instance.detach()
    }

    @Test("a world of the profile that cannot be used is said, with the reason, and is no pass")
    func unusable() async throws {
        let (known, unknown) = (#""world_origin", points: [-"#, #""local_origin", points: [-"#)
        let bench = try await bench(profile: Self.text(half: 20).replacing(known, with: unknown))
        let reason = "the position of local_origin, where the vehicle started, is not known"
        #expect(
            await bench.reaches {
                bench.stage.notices.contains {
                    $0.weight == .warning && $0.text.hasPrefix("world: ") && $0.text.contains(": \(reason)")
                }
            }, "\(bench.stage.notices)")
        #expect(
            await bench.reaches {
                bench.view.state.route.findings.contains {
                    $0.text.hasPrefix("the world cannot be used, and was not checked: ")
                        && $0.text.contains(": \(reason)")
                }
            }, "\(bench.view.state.route.findings)")
        #expect(bench.view.state.border.isEmpty)
        bench.instance.detach()
    }

    /// A square of 40 m with an obstacle across the way from (0, 0) to the east.
    private static let walled = text(half: 40).replacing(
        "points: [0, 30, 1, 30, 1, 31]", with: "points: [0.2, -9, 0.3, -9, 0.3, 9, 0.2, 9]")

    @Test func `a world file that the map has read counts here: drawn, named, and a route through its obstacle fails`()
        async throws
    {
        let (flights, link) = (RouteFlights(), FakeLink())
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(5))
        let bench = try IndoorBench(
            link, planner: FakeIndoorPlanner(), desk: IndoorDocument(flights: flights))
        let path = try bench.folder.write(Self.walled, to: "w1.yaml")
        // What the map mode does with `W`.
        var setup = flights.setup
        try await setup.readWorldFile(path, from: LocalFiles())
        flights.setup = setup
        bench.instance.detach()
        let later = try IndoorBench(
            link, fleet: bench.fleet, timeSource: bench.timeSource, planner: FakeIndoorPlanner(), desk: bench.desk)
        #expect(later.view.state.obstacles.count > 0 && later.view.state.border.count > 0)
        #expect(later.view.state.worldText == "world: w1.yaml, 1 obstacle")
        try await later.open()
        later.tell(.flying)
        later.send(.route(.placeAtCursor), .route(.moveCursor(columns: 8, rows: 0)), .route(.placeAtCursor))
        #expect(
            await later.reaches {
                later.view.state.route.stage == .failed
                    && later.view.state.route.findings.contains { $0.isFailure && $0.text.contains("obstacle_0") }
            }, "\(later.view.state.route.findings)")
        later.instance.detach()
    }

    @Test func `a world that is read after sending counts before the vehicle moves`() async throws {
        let bench = try await bench(half: 40)
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        bench.send(.route(.act(.send)))
        #expect(await bench.reaches { bench.view.state.confirmation != nil })
        bench.send(.confirm)
        #expect(await bench.reaches { bench.view.state.route.stage == .sent })
        let path = try bench.folder.write(Self.walled, to: "w1.yaml")
        bench.send(.ask(.world), .answer(path))
        #expect(await bench.reaches { bench.view.state.worldText == "world: w1.yaml, 1 obstacle" })
        let moves: [RouteAction] = [.start, .goToStart]
        #expect(await bench.reaches { !bench.view.state.route.actions.contains(where: moves.contains) })
        bench.send(.route(.act(.goToStart)))
        func asked() -> ConfirmationRequest? { bench.view.state.confirmation }
        #expect(
            await bench.reaches {
                asked()?.findings.contains { $0.isFailure && $0.text.contains("obstacle_0") } == true
            })
        #expect(asked()?.needsForce == true)
        #expect(asked()?.facts.contains(LabeledValue("world", "w1.yaml, 1 obstacle")) == true)
        bench.instance.detach()
    }

    @Test func `W reads a world file for both modes, and auto goes back to the vehicle's own`() async throws {
        let flights = RouteFlights()
        let link = FakeLink()
        link.setVehicleSilent(true)
        link.survey.world = VehicleWorld(
            path: "/home/mrs/world.yaml", .document(.file, Array(Self.text(half: 40).utf8)))
        try await link.connect(within: .seconds(5))
        let bench = try IndoorBench(link, planner: FakeIndoorPlanner(), desk: IndoorDocument(flights: flights))
        #expect(await bench.reaches { bench.view.state.worldText == "world: vehicle's world.yaml, 1 obstacle" })
        let path = try bench.folder.write(Self.text(half: 20), to: "w1.yaml")
        bench.send(.ask(.world), .answer(path))
        #expect(await bench.reaches { bench.view.state.worldText == "world: w1.yaml, 1 obstacle" })
        #expect(flights.setup.worldFileName == path)
        bench.send(.ask(.world), .answer(bench.folder.path + "/none.yaml"))
        #expect(await bench.reaches { bench.view.state.prompt?.note.isEmpty == false })
        #expect(bench.view.state.worldText == "world: w1.yaml, 1 obstacle")
        bench.send(.cancelPrompt, .ask(.world), .answer("auto"))
        #expect(await bench.reaches { bench.view.state.worldText == "world: vehicle's world.yaml, 1 obstacle" })
        bench.instance.detach()
    }

    @Test func `without any world the line says so`() async throws {
        let bench = try await IndoorBench.withRoute(FakeIndoorPlanner())
        #expect(bench.view.state.worldText == "world: not known")
        bench.instance.detach()
    }

    @Test("without a world it says so, and draws none")
    func unknown() async throws {
        let bench = try await IndoorBench.withRoute(FakeIndoorPlanner())
        #expect(await bench.reaches { bench.view.state.route.stage == .ready })
        #expect(bench.view.state.border.isEmpty && bench.view.state.obstacles.isEmpty)
        #expect(bench.view.state.route.findings.contains { $0.text.contains("the safety area is unknown") })
        bench.instance.detach()
    }
}
