import FlightVolume
import Geodesy
import Testing
import UAVLink

/// The no-fly obstacles of world files; their layouts as in the flight stack's own files.
@Suite struct WorldObstacleTests {
    private static let head = """
        mrs_uav_managers:
          world_origin: {units: LATLON, origin_x: 50.0, origin_y: 14.5}
          safety_area_manager:
            safety_area:
              enabled: true
              horizontal: {frame_name: world_origin, points: [0, 0, 100, 0, 100, 100, 0, 100]}
              vertical: {frame_name: world_origin, max_z: 20.0, min_z: 1.0}

        """
    private static let two = """
        obstacle_0:
          horizontal: {frame_name: world_origin, points: [10, 10, 20, 10, 20, 20, 10, 20]}
          vertical: {frame_name: world_origin, max_z: 8.0, min_z: 0.0}
        obstacle_1:
          horizontal: {frame_name: latlon_origin, points: [50.0005, 14.5005, 50.0005, 14.5006, 50.0006, 14.5006]}
          vertical: {frame_name: local_origin, max_z: 5.0, min_z: -1.0}
        """

    private static func indented(_ text: String, by count: Int) -> String {
        text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 + "\n" }.joined()
    }

    /// All of it in the safety area, or the list beside it.
    private static let layouts = [
        head + "      obstacles:\n        present: true\n        count: 2\n" + indented(two, by: 8),
        head + "      obstacles: {present: true}\n    obstacles:\n      count: 2\n" + indented(two, by: 6),
        // Beside the managers, and the second one first.
        head + "      obstacles: {present: true}\n  obstacles:\n    count: 2\n" + indented(reversed, by: 4),
    ]
    private static var reversed: String {
        let lines = two.split(separator: "\n")
        return (lines[3...] + lines[..<3]).joined(separator: "\n")
    }

    private func read(_ text: String) throws -> WorldFile {
        try WorldFileReader.read(Array(text.utf8), source: "world.yaml")
    }

    private func problem(_ text: String) -> String {
        do { return "read \(try read(text))" } catch { return "\(error)" }
    }

    @Test func `obstacles that are switched off are counted`() throws {
        let off = Self.layouts.map { $0.replacing("present: true", with: "present: false") }
        for text in off {
            let area = try #require(try read(text).safetyArea)
            #expect(area.obstacles.isEmpty && area.ignoredObstacleCount == 2)
        }
        #expect(try read(Self.layouts[0]).safetyArea?.ignoredObstacleCount == 0)
    }

    @Test(arguments: layouts) func `obstacles are read, and stand where they should`(_ text: String) throws {
        let world = try read(text)
        let area = try #require(world.safetyArea)
        #expect(area.obstacles.map(\.name) == ["obstacle_0", "obstacle_1"])
        #expect(
            area.obstacles.first
                == .init(
                    name: "obstacle_0", horizontalFrame: .worldOrigin,
                    shape: .polygon([
                        .init(x: 10, y: 10), .init(x: 20, y: 10), .init(x: 20, y: 20), .init(x: 10, y: 20),
                    ]),
                    heights: .init(frame: .worldOrigin, minimumZMetres: 0, maximumZMetres: 8)))
        var session = try WorldSession(worldFile: world)
        session.localOrigin = Vector3(x: 0, y: 0, z: 0.5)
        let volume = try session.volume(area)
        #expect(volume.obstacleMarginMetres == FlyableVolume.usualObstacleMarginMetres)
        #expect(!volume.contains(Vector3(x: 15, y: 15, z: 5)))
        #expect(volume.contains(Vector3(x: 15, y: 15, z: 9)))
        let second = volume.obstacles[1]
        #expect(second.minimumZMetres == -0.5 && second.maximumZMetres == 5.5)
        // Half a thousandth of a degree north and east at 50 degrees: 55.6 and 35.8 m.
        let corner = try #require(second.outline.first)
        #expect(abs(corner.x - 35.8) < 0.8 && abs(corner.y - 55.6) < 0.8)
    }

    @Test(arguments: [
        "{present: false}", "{present: false, count: 0}", "", "{present: false, count: 3}", "{present: true, count: 0}",
        "{present: false, obstacle_1: {}}",
    ])
    func `no obstacles are none`(_ value: String) throws {
        #expect(try read(Self.head + "      obstacles: \(value)\n").safetyArea?.obstacles == [])
    }

    @Test func `a frame that is not known is an error, not an obstacle less`() throws {
        let world = try read(Self.layouts[0])
        let area = try #require(world.safetyArea)
        // local_origin is not known.
        #expect(throws: GeodesyError.self) { try WorldSession(worldFile: world).volume(area) }
    }

    @Test(arguments: [
        ("present: true", "present: maybe", "found 'maybe', expected true or false"),
        ("count: 2", "count: 3", "the file announces 3 obstacles, but 'obstacle_2' is missing"),
        ("count: 2", "count: 1", "known keys: present, count, obstacle_0 (count says 1)"),
        ("count: 2", "count: 2000", "found '2000', expected at most 1000 obstacles"),
        ("obstacle_1", "obstacle_2", "known keys: present, count, obstacle_0 to obstacle_1 (count says 2)"),
        ("obstacle_1", "tower", "known keys: present, count, obstacle_0 to obstacle_1 (count says 2)"),
        ("20, 20, 10, 20]", "20, 20, 10, 1e9]", "found '1e9', expected at most 100000000 metres"),
        ("max_z: 8.0", "max_z: -1", "found '-1', expected a max_z above the min_z of 0.0"),
        ("max_z: 8.0", "max: 8.0", "unknown key 'max'; known keys: frame_name, min_z, max_z"),
        ("20, 20, 10, 20]", "20, 20, 10]", "expected x and y of each corner, an even number of values"),
        ("50.0006, 14.5006", "95, 14.5006", "found '95', expected a latitude from -90 to 90 degrees"),
    ])
    func `what is wrong with an obstacle is said`(_ old: String, _ new: String, _ expected: String) throws {
        let text = try #require(Self.layouts.first)
        let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let problem = problem(parts.joined(separator: new))
        #expect(problem.hasPrefix("world.yaml, line ") && problem.hasSuffix(expected), "\(problem)")
    }

    @Test(arguments: [
        (
            "      obstacles: {present: true}\n",
            "'present: true', but no obstacle follows: add 'obstacle_0', or write 'present: false'"
        ),
        ("      obstacle: {present: true}\n", "unknown key 'obstacle'; did you mean 'obstacles'?"),
        ("      no_fly: []\n", "unknown key 'no_fly'; known keys: enabled, horizontal, vertical, obstacles"),
        ("    keep_out: []\n", "unknown key 'keep_out'; known keys: safety_area, obstacles"),
        (
            "  geofence: []\n",
            "which may limit where the vehicle may fly; known keys: safety_area_manager, obstacles"
        ),
        ("geofence: []\n", "which may limit where the vehicle may fly; known keys: mrs_uav_managers"),
        ("safety_area: {}\n", "which may limit where the vehicle may fly; known keys: mrs_uav_managers"),
        (
            "  safety_area: {}\n",
            "which may limit where the vehicle may fly; known keys: safety_area_manager, obstacles"
        ),
    ])
    func `a limit that is not understood is an error`(_ line: String, _ expected: String) {
        let problem = problem(Self.head + line)
        #expect(problem.hasPrefix("world.yaml, line ") && problem.hasSuffix(expected), "\(problem)")
    }

    private static let limit = ", which may limit where the vehicle may fly"

    /// In every layout, beside what is read and below what is not.
    @Test(arguments: [
        ("no_fly_zones: [1, 2]", "no_fly_zones"), ("keep_out: {a: [1]}", "keep_out"), ("max_speed: 3", "max_speed"),
        ("maxSpeed: 3", "maxSpeed"), ("Z-MIN: 3", "Z-MIN"), ("other: {list: [{forbidden: 1}]}", "forbidden"),
        ("exclusion: []", "exclusion"), ("nfz: zones.kml", "nfz"), ("NFZ: {}", "NFZ"), ("no_go: 1", "no_go"),
        ("noFlight: a", "noFlight"), ("danger: a", "danger"), ("blocked: a", "blocked"),
        ("do_not_enter: a", "do_not_enter"),
    ])
    func `keys that sound like a limit are errors wherever they stand`(_ line: String, _ key: String) {
        let flat = """
            world_origin: {units: LATLON, origin_x: 50.0, origin_y: 14.5}
            safety_area:
              enabled: true
              horizontal: {frame_name: world_origin, points: [0, 0, 100, 0, 100, 100]}
              vertical: {frame_name: world_origin, max_z: 20.0, min_z: 1.0}

            """
        let texts = [
            Self.head + line, Self.head + "  " + line, flat + line, Self.oldest + line,
            flat.replacing("origin_y: 14.5", with: "origin_y: 14.5, " + line),
        ]
        for text in texts {
            let problem = problem(text)
            let expected = "unknown key '\(key)'\(Self.limit)"
            #expect(problem.hasPrefix("world.yaml, line ") && problem.contains(expected), "\(problem)")
        }
    }

    @Test func `the error names the line, and other keys are no limits`() throws {
        #expect(problem(Self.oldest + "max_speed: 3").hasPrefix("world.yaml, line 21, column 1: "))
        let others = "author: me\nversion: 1\nlocal_origin_x: 0\nutm: {units: 1, comment: [terminal, {nominal: two}]}\n"
        #expect(try read(Self.oldest + others).safetyArea?.obstacles.count == 4)
    }

    @Test func `obstacles without a safety area would be lost, and are an error`() {
        let text =
            "world_origin: {units: LATLON, origin_x: 1, origin_y: 2}\nobstacles:\n" + Self.indented(Self.two, by: 2)
        #expect(problem(text).hasSuffix("expected a safety area that the obstacles belong to"), "\(problem(text))")
    }

    @Test func `of an area that is switched off no obstacle counts, whatever its frame`() throws {
        let text = Self.layouts[0].replacing("enabled: true", with: "enabled: false", maxReplacements: 1)
        let world = try read(text)
        let area = try #require(world.safetyArea)
        #expect(area.obstacles.count == 2)
        #expect(try WorldSession(worldFile: world).volume(area).obstacles.isEmpty)
    }

    // MARK: The oldest layout

    private static let oldest = """
        utm_origin_units: 0
        utm_origin_x: 465710.7
        utm_origin_y: 5249465.4
        use_utm_origin: true
        safety_area:
          use_safety_area: true
          frame_name: "world_origin"
          safety_area: [0, 0, 100, 0, 100, 100, 0, 100]
          min_height: 0.5
          max_height: 15
          polygon_obstacles:
            enabled: true
            data: [10, 20, 20, 10, 50, 60, 55, 10, 10, 20, 20, 50, 50, 58]
            rows: 2
            cols: [4, 3]
          point_obstacles:
            enabled: true
            data: [80, 80, 2.5, 30, 70, 1]
            rows: 1
            cols: [3, 3]

        """

    @Test func `matrices of the oldest layout have x of all polygons, then y of all`() throws {
        let area = try #require(try read(Self.oldest).safetyArea)
        #expect(
            area.obstacles.map(\.shape) == [
                .polygon([.init(x: 10, y: 10), .init(x: 20, y: 10), .init(x: 20, y: 20), .init(x: 10, y: 20)]),
                .polygon([.init(x: 50, y: 50), .init(x: 60, y: 50), .init(x: 55, y: 58)]),
                .circle(centre: .init(x: 80, y: 80), radiusMetres: 2.5),
                .circle(centre: .init(x: 30, y: 70), radiusMetres: 1),
            ])
        #expect(area.obstacles.allSatisfy { $0.heights == nil && $0.horizontalFrame == .worldOrigin })
        #expect(area.obstacles.map(\.name).last == "point_obstacles 2")
    }

    @Test func `those that are not enabled are none`() throws {
        let text = Self.oldest.split(separator: "enabled: true").joined(separator: "enabled: false")
        #expect(try read(text).safetyArea?.obstacles == [])
    }

    @Test(arguments: [
        ("rows: 2", "rows: 3", "found '3', expected 2"),
        ("cols: [4, 3]", "cols: [4, 4]", "expected 2 values for each column of \"cols\""),
        ("cols: [4, 3]", "cols: [4]", "expected 2 values for each column of \"cols\""),
        ("cols: [4, 3]", "cols: [5, 2]", "expected 3 corners or more for each polygon"),
        ("cols: [3, 3]", "cols: [2, 4]", "expected 3 values for each point: x, y, radius"),
        ("2.5, 30", "0, 30", "found '0', expected a radius above 0 metres"),
        ("80, 2.5", "north, 2.5", "found 'north', expected a finite number"),
        ("point_obstacles", "points_obstacles", "did you mean 'point_obstacles'?"),
    ])
    func `what is wrong with a matrix is said`(_ old: String, _ new: String, _ expected: String) throws {
        let parts = Self.oldest.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let problem = problem(parts.joined(separator: new))
        #expect(problem.hasPrefix("world.yaml, line ") && problem.contains(expected), "\(problem)")
    }
}
