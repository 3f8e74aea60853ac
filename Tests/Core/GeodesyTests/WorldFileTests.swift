import Geodesy
import Testing
import UAVLink

@Suite struct WorldFileTests {
    static let today = """
        mrs_uav_managers:
          world_origin:
            units: "LATLON"
            origin_x: 50.0
            origin_y: 14.5
          safety_area_manager:
            safety_area:
              enabled: true
              horizontal:
                frame_name: "latlon_origin"
                points: [
                  50.001, 14.501,
                  50.001, 14.499, # a comment
                  49.999, 14.500,
                ]
              vertical:
                frame_name: "world_origin"
                max_z: 8.0
                min_z: 1.0
        """

    func read(_ text: String) throws -> WorldFile { try WorldFileReader.read(Array(text.utf8), source: "world.yaml") }

    func problem(_ text: String) -> String {
        do {
            return "read \(try read(text))"
        } catch {
            return "\(error)"
        }
    }

    @Test func `today's layout is read`() throws {
        let world = try read(Self.today)
        #expect(world.origin == .geographic(.init(latitudeDegrees: 50, longitudeDegrees: 14.5)))
        let area = try #require(world.safetyArea)
        #expect(area.isEnabled)
        #expect(area.horizontalFrame == .latitudeLongitude)
        #expect(area.corners.count == 3)
        #expect(area.corners.first == .init(x: 50.001, y: 14.501))
        #expect(area.verticalFrame == .worldOrigin)
        #expect(area.minimumZMetres == 1)
        #expect(area.maximumZMetres == 8)
    }

    @Test func `the layout without the manager's level, with corners in pairs, is read`() throws {
        let world = try read(
            """
            world_origin: {units: UTM, origin_x: 458422.2, origin_y: 5551241.4}
            safety_area:
              enabled: false
              horizontal: {frame_name: world_origin, points: [[0, 0], [10, 0], [10, 10], [0, 10]]}
              vertical: {frame_name: local_origin, min_z: 0.5, max_z: 20}
            """)
        #expect(world.origin == .utm(eastingMetres: 458_422.2, northingMetres: 5_551_241.4))
        #expect(world.safetyArea?.isEnabled == false)
        #expect(world.safetyArea?.corners.last == .init(x: 0, y: 10))
        #expect(world.safetyArea?.verticalFrame == .localOrigin)
    }

    @Test func `the oldest layout with a flat matrix is read`() throws {
        let world = try read(
            """
            utm_origin_units: 1
            utm_origin_lat: 47.397743
            utm_origin_lon: 8.545594
            safety_area:
              use_safety_area: true
              frame_name: "latlon_origin"
              safety_area: [47.1, 8.1,
                            47.2, 8.1,
                            47.2, 8.2]
              min_height: 0.5
              max_height: 15
            """)
        #expect(world.origin == .geographic(.init(latitudeDegrees: 47.397743, longitudeDegrees: 8.545594)))
        #expect(world.safetyArea?.corners.count == 3)
        #expect(world.safetyArea?.maximumZMetres == 15)
    }

    @Test func `a world without a safety area has none`() throws {
        #expect(try read("world_origin: {units: LATLON, origin_x: 1, origin_y: 2}").safetyArea == nil)
    }

    @Test(arguments: [
        ("LATLON", "PARSEC", "world.yaml, line 3, column 12: found 'PARSEC', expected LATLON or UTM"),
        ("origin_x: 50.0", "origin_x: abc", "world.yaml, line 4, column 15: found 'abc', expected a finite number"),
        (
            "origin_x: 50.0", "origin_x: 91",
            "world.yaml, line 4, column 15: found '91', expected a latitude from -90 to 90 degrees"
        ),
        (
            "origin_y: 14.5", "origin_y: .nan",
            "world.yaml, line 5, column 15: found '.nan', expected a finite number"
        ),
        ("origin_y: 14.5", "", "world.yaml, line 3, column 5: the key 'origin_y' is missing"),
        ("enabled: true", "enabled: maybe", "world.yaml, line 8, column 16: found 'maybe', expected true or false"),
        (
            "49.999, 14.500,", "49.999",
            "world.yaml, line 11, column 17: found a list of 5, expected x and y of each corner, an even number of"
                + " values"
        ),
        ("49.999, 14.500,", "", "world.yaml, line 11, column 17: found a list of 4, expected 3 to 10000 corners"),
        (
            "50.001, 14.499,", "50.001, 200,",
            "world.yaml, line 13, column 19: found '200', expected a longitude from -180 to 180 degrees"
        ),
        (
            "max_z: 8.0", "max_z: 0.5",
            "world.yaml, line 18, column 16: found '0.5', expected a max_z above the min_z of 1.0"
        ),
        (
            "frame_name: \"latlon_origin\"", "frame_name: \"a b\"",
            "world.yaml, line 10, column 21: found 'a b', expected a frame such as world_origin or latlon_origin"
        ),
    ])
    func `errors name file, line, what was found and what was expected`(
        _ old: String, _ new: String, _ expected: String
    ) throws {
        let parts = Self.today.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        #expect(problem(parts.joined(separator: new)) == expected)
    }

    @Test func `no YAML, nothing and too much are errors of the file`() {
        #expect(problem("a: [1").hasPrefix("world.yaml, line "))
        #expect(problem("") == "world.yaml: the document is empty")
        #expect(problem("{}") == "world.yaml, line 1, column 1: the key 'world_origin' is missing")
        #expect(problem(String(repeating: "#", count: 1 << 21)).contains("at most"))
    }

    @Test func `as many corners as allowed are read, and not one more`() throws {
        func world(_ count: Int) -> String {
            let corners = (0..<count).map { "\($0), \($0 * $0)" }.joined(separator: ", ")
            return """
                world_origin: {units: LATLON, origin_x: 1, origin_y: 2}
                safety_area:
                  enabled: true
                  horizontal: {frame_name: world_origin, points: [\(corners)]}
                  vertical: {frame_name: world_origin, min_z: 0, max_z: 1}
                """
        }
        #expect(try read(world(WorldFileReader.maximumCorners)).safetyArea?.corners.count == 10_000)
        #expect(problem(world(WorldFileReader.maximumCorners + 1)).contains("expected 3 to 10000 corners"))
    }
}
