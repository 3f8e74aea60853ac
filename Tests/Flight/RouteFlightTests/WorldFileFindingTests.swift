import FlightVolume
import Geodesy
import RouteFlight
import Testing
import Trajectories

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

    @Test func `errors about a world file name it`() throws {
        let unknown = try setup(frame: "fcu")
        let frame = #expect(throws: GeodesyError.self) { _ = try unknown.volume(try unknown.session()) }
        #expect(frame?.what.hasPrefix("w.yaml: ") == true && frame?.what.contains("fcu") == true)
        let grid = try setup(origin: "units: UTM, origin_x: 465710.0, origin_y: 5249465.0")
        let zone = #expect(throws: GeodesyError.self) { _ = try grid.session() }
        #expect(zone?.what.hasPrefix("w.yaml: the world file gives its origin in UTM") == true)
    }
}
