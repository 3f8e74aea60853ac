import FlightControl
import FlightVolume
import Geodesy
import ReportKit
import RouteFlight
import Testing
import Trajectories
import UAVLink
import UAVTestKit

/// The vehicle's own world: how it is read and kept, which world counts, and what is said of it.
@MainActor
@Suite("The vehicle's own world in checks") struct OwnWorldTests {
    private let clock = FakeClock()
    private let link: FakeLink
    private let flight: TrajectoryFlight

    init() {
        link = FakeLink(clock: clock)
        flight = TrajectoryFlight(FlightDependency(link: link, clock: clock))
    }

    /// A square around the origin of the fake vehicle's world, with obstacles of 2 m by 6 m at these places on the x axis.
    private static func text(
        half: Int = 50, lowest: Double = 0.5, greatest: Double = 15, obstaclesAt places: [Int] = []
    ) -> String {
        let obstacles = places.enumerated().map { index, x in
            """
            \n      obstacle_\(index):
                    horizontal: {frame_name: world_origin, points: [\(x - 1), -3, \(x + 1), -3, \(x + 1), 3, \(x - 1), 3]}
                    vertical: {frame_name: world_origin, min_z: 0.0, max_z: 10.0}
            """
        }
        return """
            mrs_uav_managers:
              world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
              safety_area_manager:
                safety_area:
                  enabled: true
                  horizontal: {frame_name: world_origin, points: [-\(half), -\(half), \(half), -\(half), \(half), \(half), -\(half), \(half)]}
                  vertical: {frame_name: world_origin, min_z: \(lowest), max_z: \(greatest)}
                obstacles:
                  present: \(!places.isEmpty)\(obstacles.joined())
            """
    }

    private static let path = "/home/mrs/world.yaml"

    private func told(
        _ text: String, _ source: VehicleWorld.Source = .file, because reason: VehicleWorld.Obstruction? = nil
    ) -> VehicleWorld {
        VehicleWorld(path: Self.path, .document(source, Array(text.utf8)), obstruction: reason)
    }

    private func given(_ text: String) throws -> WorldSetup {
        var setup = WorldSetup()
        setup.worldFile = try WorldFileReader.read(Array(text.utf8), source: "field.yaml")
        setup.worldFileName = "field.yaml"
        return setup
    }

    private func plan(_ points: String, in setup: WorldSetup = WorldSetup()) async throws -> TrajectoryReport {
        try await link.connect(within: .seconds(1))
        let world = try await PlanningWorld(setup, flight, telemetryWithin: .seconds(3))
        let route = try LoadedRoute.read(Array(points.utf8), name: "a.csv")
        let plan = try await world.plan(
            route, name: "a.csv", TrajectorySettings(), RouteDefaults(frame: .worldOrigin))
        return plan.report
    }

    // MARK: Reading

    @Test func `it is decoded with its path, and what is no world is unknown with the reason`() async throws {
        let known = try #require(await OwnWorld.decoded(told(Self.text(obstaclesAt: [5])), before: nil).file)
        #expect(known.path == Self.path && known.source == .file && known.limitation == nil)
        #expect(known.world.safetyArea?.obstacles.count == 1)
        let text = "mrs_uav_managers: {world_origin: 5, safety_area: \u{1B}[2J\n}"
        for bad in [text, "", "safety_area: {", String(repeating: "[", count: 5000)] {
            guard case .unknown(let reason) = await OwnWorld.decoded(told(bad), before: nil) else {
                Issue.record("\(bad.prefix(50)) is read")
                continue
            }
            #expect(reason.hasPrefix("its world file is not understood: \(Self.path)"), "\(reason)")
            #expect(!reason.contains("\n") && !reason.contains("\u{1B}"), "\(reason)")
        }
        #expect(
            await OwnWorld.decoded(VehicleWorld(.noParameter), before: nil)
                == .unknown("the vehicle names no world file (parameter control_manager/world_config)"))
        // An answer that nothing changed, where nothing was known.
        #expect(await OwnWorld.decoded(VehicleWorld(.unchanged), before: nil).file == nil)
    }

    @Test func `it is fetched once, asked for by its fingerprint, and kept while the vehicle does not answer`()
        async throws
    {
        try await link.connect(within: .seconds(1))
        #expect(flight.ownWorld == .notAsked)
        link.survey.world = told(Self.text())
        let first = try #require(await flight.readWorld().file)
        #expect(await flight.readWorld().file == first)
        #expect(link.survey.worldsKnown == [0, first.fingerprint])
        clock.advance(by: .seconds(90))
        link.survey.failure = LinkError(.timedOut, "no answer")
        let earlier = try #require(await flight.readWorld().file)
        #expect(earlier.world == first.world && earlier.fingerprint == first.fingerprint)
        let outdated = try #require(earlier.outdated)
        #expect(outdated.hasPrefix("the vehicle's own world is known only as it was 90 s before the last question"))
        #expect(outdated.contains("no answer"))
        var setup = WorldSetup()
        setup.ownWorld = flight.ownWorld
        #expect(setup.ownWorldWarnings(try setup.session()) == [outdated])
        // So is what another world is compared with.
        setup.worldFile = first.world
        #expect(setup.ownWorldWarnings(try setup.session()) == [outdated])
        link.survey.failure = nil
        #expect(await flight.readWorld().file == first)
        // The vehicle was started anew with another one.
        link.survey.world = told(Self.text(half: 20))
        let other = try #require(await flight.readWorld().file)
        #expect(other.fingerprint != first.fingerprint && other.world != first.world)
        link.survey.world = VehicleWorld(path: Self.path, .permissionDenied)
        guard case .unknown(let reason) = await flight.readWorld() else {
            Issue.record("a file that may not be read is known")
            return
        }
        #expect(reason.contains("may not be read") && flight.ownWorld == .unknown(reason))
        await link.close()
    }

    // MARK: Checks

    @Test func `a route that leaves the vehicle's own border fails without any file on the ground`() async throws {
        link.survey.world = told(Self.text())
        let inside = try await plan("0,0,5,0\n40,0,5,0\n")
        #expect(inside.isOK && !inside.missingChecks.contains { $0.kind == .safetyArea }, "\(inside.findings)")
        #expect(inside.world == CheckedWorld(.vehicle, .file, path: Self.path))
        #expect(inside.lines.contains("world: of the vehicle, \(Self.path)"))
        let outside = try await plan("0,0,5,0\n60,0,5,0\n")
        #expect(outside.findings.contains { $0.kind == .safetyArea && $0.weight == .failure })
        #expect(outside.json.text.contains("\"world\": {\"source\": \"vehicle\""), "\(outside.json.text)")
        await link.close()
    }

    @Test func `so does one through an obstacle, and one above the heights`() async throws {
        link.survey.world = told(Self.text(obstaclesAt: [20]))
        let through = try await plan("0,0,5,0\n40,0,5,0\n")
        #expect(through.findings.contains { $0.kind == .obstacle && $0.weight == .failure }, "\(through.findings)")
        let above = try await plan("0,0,14,0\n40,0,14,0\n")
        #expect(above.isOK, "\(above.findings)")
        #expect(try await !plan("0,0,16,0\n40,0,16,0\n").isOK)
        await link.close()
    }

    @Test func `a border without its file is used, with a warning that obstacles are not known`() async throws {
        link.survey.world = told(Self.text(), .markers, because: .elsewhere)
        let report = try await plan("0,0,5,0\n40,0,5,0\n")
        #expect(report.isOK && report.world?.content == .border)
        let warning = report.findings.first { $0.text.contains("not its obstacles") }
        #expect(warning?.weight == .warning && warning?.text.contains("is not on the computer") == true)
        #expect(report.missingChecks.first?.kind == .obstacle, "\(report.missingChecks)")
        #expect(report.lines.last?.hasPrefix("ready, except: obstacles not checked (") == true, "\(report.lines)")
        #expect(report.json.text.contains("\"not_checked\": [\"obstacle\""), "\(report.json.text)")
        #expect(try await !plan("0,0,5,0\n60,0,5,0\n").isOK)
        await link.close()
    }

    @Test func `a world that is not known is warned about with the reason, as a check that was not made`() async throws
    {
        link.survey.world = VehicleWorld(path: Self.path, .permissionDenied)
        let report = try await plan("0,0,5,0\n40,0,5,0\n")
        #expect(report.isOK && report.world == nil)
        #expect(report.missingChecks.contains { $0.kind == .safetyArea })
        let reasons = report.findings.map(\.text).filter { $0.hasPrefix("the vehicle's own world is not known: ") }
        #expect(reasons.count == 1 && reasons.first?.contains(Self.path) == true)
        // Neither a world without an area nor one whose frame is not known stops the check.
        let area = "safety_area: {enabled: true, horizontal: {frame_name: local_origin, points: [0, 0, 9, 0, 9, 9]}, "
        for text in ["", "\n" + area + "vertical: {frame_name: world_origin, min_z: 0, max_z: 9}}"] {
            link.survey.world = told(
                "world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}" + text)
            let report = try await plan("0,0,5,0\n40,0,5,0\n")
            #expect(report.missingChecks.contains { $0.kind == .safetyArea })
            #expect(report.findings.contains { $0.text.contains("vehicle's own world") }, "\(report.findings)")
        }
        await link.close()
    }

    // MARK: Precedence

    @Test func `the user's world counts, then the profile's, then the vehicle's own`() async throws {
        link.survey.world = told(Self.text())
        var setup = try given(Self.text(half: 100))
        let far = "0,0,5,0\n60,0,5,0\n"
        let users = try await plan(far, in: setup)
        #expect(users.isOK && users.world == CheckedWorld(.user, path: "field.yaml"))
        #expect(users.world?.line == "world: field.yaml")
        setup.isWorldOfProfile = true
        let profiles = try await plan(far, in: setup)
        #expect(profiles.isOK && profiles.world?.line == "world: of the profile, field.yaml")
        setup.forgetWorldFile()
        #expect(try await !plan(far, in: setup).isOK)
        await link.close()
    }

    @Test func `without the vehicle's origin its own world lies where its file says`() async throws {
        link.survey.envelope.worldOrigin = nil
        link.survey.world = told(Self.text())
        try await link.connect(within: .seconds(1))
        let world = try await PlanningWorld(WorldSetup(), flight, telemetryWithin: .seconds(3))
        #expect(world.session?.source == .worldFile && world.session?.altitudeMetres == nil)
        #expect(try await !plan("0,0,5,0\n60,0,5,0\n").isOK)
        await link.close()
    }

    // MARK: Differences

    private func warnings(used: String, own: String) async throws -> [String] {
        var setup = try given(used)
        setup.ownWorld = await OwnWorld.decoded(told(own), before: nil)
        return setup.ownWorldWarnings(try setup.session())
    }

    @Test func `the same world in another layout, or with another first corner, gives no warning`() async throws {
        #expect(try await warnings(used: Self.text(obstaclesAt: [5]), own: Self.text(obstaclesAt: [5])) == [])
        let turned = """
            world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
            safety_area:
              enabled: true
              horizontal: {frame_name: world_origin, points: [[50, 50.2], [50, -50], [-50, -50], [-50, 50]]}
              vertical: {frame_name: world_origin, min_z: 0.55, max_z: 15}
            """
        #expect(try await warnings(used: Self.text(), own: turned) == [])
    }

    @Test func `a difference in border, heights or obstacles is a warning with its values`() async throws {
        let border = try await warnings(used: Self.text(), own: Self.text(half: 40))
        #expect(border == ["the border of the vehicle's own safety area differs from the one used here by 14.1 m"])
        let heights = try await warnings(used: Self.text(greatest: 30), own: Self.text())
        #expect(
            heights == [
                "the vehicle's own safety area is from 0.5 to 15.0 m high, the one used here from 0.5 to 30.0 m"
            ])
        let more = try await warnings(used: Self.text(obstaclesAt: [5]), own: Self.text(obstaclesAt: [5, 9, 20]))
        #expect(more == ["the vehicle's own world has 2 obstacles that the world used here lacks"])
        let moved = try await warnings(used: Self.text(obstaclesAt: [5]), own: Self.text(obstaclesAt: [7]))
        #expect(moved.count == 2)
        let open = "world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}"
        #expect(
            try await warnings(used: open, own: Self.text())
                == ["the vehicle's own world limits where it may fly, and the world used here does not"])
        #expect(
            try await warnings(used: Self.text(), own: open)
                == ["the vehicle's own world does not limit where it may fly, and the world used here does"])
    }

    @Test func `a difference is a finding of the check, and no failure`() async throws {
        link.survey.world = told(Self.text(half: 40))
        let report = try await plan("0,0,5,0\n45,0,5,0\n", in: try given(Self.text()))
        #expect(report.isOK)
        #expect(report.findings.contains { $0.kind == .safetyArea && $0.text.contains("differs") })
        await link.close()
    }

    // MARK: The report of `map world`

    @Test func `the report has origin, border, heights and obstacles`() async throws {
        let file = try #require(await OwnWorld.decoded(told(Self.text(obstaclesAt: [5])), before: nil).file)
        let report = VehicleWorldReport(file)
        #expect(report.lines[0].hasPrefix("world: \(Self.path), the world file of its flight stack, "))
        #expect(report.lines[1].hasPrefix("origin: 47.3977430 8.5455940"))
        #expect(report.lines[2].contains("4 corners in world_origin") && report.lines[2].contains("0.5 to 15.0 m"))
        #expect(report.lines[3] == "obstacles: 1" && report.lines[4].contains("obstacle_0"))
        let json = report.json.text
        for key in ["fingerprint", "latitude_deg", "safety_area", "corners", "obstacle_0"] {
            #expect(json.contains(key), "\(json)")
        }
        #expect(file.savingObstacle == nil)
    }

    @Test func `a border without obstacles is never said to be the whole world, and not saved as one`() async throws {
        let shown = told(Self.text(), .markers, because: .missing)
        let file = try #require(await OwnWorld.decoded(shown, before: nil).file)
        #expect(file.savingObstacle?.contains("not its obstacles; ") == true && !file.isComplete)
        let report = VehicleWorldReport(file)
        #expect(report.lines.contains("obstacles: not known") && !report.lines.contains("obstacles: none"))
        #expect(report.lines.last?.hasPrefix("warning: ") == true)
        let members = try #require(Self.members(report.json))
        #expect(members.contains(.init("complete", false)))
        let area = try #require(members.first { $0.key == "safety_area" }.flatMap { Self.members($0.value) })
        #expect(area.contains(.init("obstacles", .null)))
        // A world file without obstacles has none.
        let whole = VehicleWorldReport(try #require(await OwnWorld.decoded(told(Self.text()), before: nil).file))
        #expect(whole.lines.contains("obstacles: none"))
        #expect(Self.members(whole.json)?.contains(.init("complete", true)) == true)
    }

    private static func members(_ value: JSONValue) -> [JSONValue.Member]? {
        if case .object(let members) = value { members } else { nil }
    }
}
