import FlightVolume
import Geodesy
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// What a world file switches off, and errors about it.
@Suite struct WorldFileFindingTests {
    private func setup(origin: String = "units: LATLON, origin_x: 47.0, origin_y: 8.0", frame: String = "world_origin")
        throws -> WorldSetup
    {
        let text = """
            world_origin: {\(origin)}
            safety_area:
              enabled: true
              horizontal: {frame_name: \(frame), points: [0, 0, 9, 0, 9, 9, 0, 9]}
              vertical: {frame_name: world_origin, min_z: 0.5, max_z: 15.0}
              obstacles:
                present: false
                obstacle_0:
                  horizontal: {frame_name: world_origin, points: [1, 1, 2, 1, 2, 2, 1, 2]}
                  vertical: {frame_name: world_origin, min_z: -1.0, max_z: 10.0}
            """
        var setup = WorldSetup()
        setup.worldFile = try WorldFileReader.read(Array(text.utf8), source: "w.yaml")
        setup.worldFileName = "w.yaml"
        return setup
    }

    @Test func `obstacles that are switched off are not checked, and that is said`() throws {
        let setup = try setup()
        let found = WorldFindings(setup, try setup.session())
        let off = "1 obstacle of the world file not checked (switched off in it)"
        #expect(found.findings.map(\.text) == [off] && found.findings.map(\.weight) == [.warning])
        #expect(found.missingChecks.map(\.kind) == [.obstacle])
    }

    /// Only the border is known, as from the vehicle's markers: the obstacles are named where that border is the one that counts.
    @Test func `obstacles of a vehicle that shows its border only are not checked, and that is said`() async throws {
        func own(_ source: VehicleWorld.Source, isEnabled: Bool = true) async -> OwnWorld {
            let text = """
                world_origin: {units: LATLON, origin_x: 47.0, origin_y: 8.0}
                safety_area:
                  enabled: \(isEnabled)
                  horizontal: {frame_name: world_origin, points: [0, 0, 9, 0, 9, 9, 0, 9]}
                  vertical: {frame_name: world_origin, min_z: 0.5, max_z: 15.0}
                """
            return await OwnWorld.decoded(VehicleWorld(.document(source, Array(text.utf8))), before: nil)
        }
        func missing(_ setup: WorldSetup) throws -> [TrajectoryFinding.Kind] {
            WorldFindings(setup, try setup.session()).missingChecks.map(\.kind)
        }
        var setup = WorldSetup()
        setup.ownWorld = await own(.markers)
        #expect(setup.ownWorld.file != nil)
        #expect(try missing(setup) == [.obstacle])
        #expect(WorldFindings(setup, try setup.session()).findings.count == 1, "once, with the reason")
        // Where nothing of it is checked, the check itself says so.
        #expect(WorldFindings(setup, nil).missingChecks.isEmpty)
        setup.ownWorld = await own(.markers, isEnabled: false)
        #expect(try missing(setup).isEmpty)
        setup.ownWorld = await own(.file)
        #expect(try missing(setup).isEmpty)
        // A file on the ground has its own obstacles.
        var given = try self.setup()
        given.ownWorld = await own(.markers)
        #expect(given.checkedWorld?.source == .user)
        #expect(try missing(given) == [.obstacle])
        let session = try given.session()
        #expect(!given.lacksObstacles(session))
    }

    @Test func `errors about a world file name it`() throws {
        let unknown = try setup(frame: "fcu")
        let frame = #expect(throws: GeodesyError.self) { _ = try unknown.volume(try unknown.session()) }
        #expect(frame?.what.hasPrefix("w.yaml: ") == true && frame?.what.contains("fcu") == true)
        let grid = try setup(origin: "units: UTM, origin_x: 465710.0, origin_y: 5249465.0")
        let zone = #expect(throws: GeodesyError.self) { _ = try grid.session() }
        #expect(zone?.what.hasPrefix("w.yaml: the world file gives its origin in UTM") == true)
    }
    private struct OneFile: FileAccess {
        let content: [UInt8]

        func read(_ path: String, atMost bytes: Int) async throws(FileAccessError) -> [UInt8] { content }
        func write(_ bytes: [UInt8], to path: String, replacing: Bool) async throws(FileAccessError) {}
    }

    @Test func `a world file that is not in UTF-8 is named by its line, with how to convert it`() async {
        let file = OneFile(content: Array("# a\n# H".utf8) + [0xF6] + Array("he\nworld_origin: 1\n".utf8))
        let error = await #expect(throws: FileAccessError.self) {
            var setup = WorldSetup()
            try await setup.readWorldFile("w.yaml", from: file)
        }
        #expect(error?.what.hasPrefix("w.yaml: line 2: not UTF-8, probably windows-1252") == true)
    }
}
