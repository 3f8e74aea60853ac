import Geodesy
import Testing

/// What a world file has beside what is read, and says where something is: it may be an area that must not be entered.
@Suite struct UnknownPlaceTests {
    private static let inside = """
        mrs_uav_managers:
          world_origin: {units: LATLON, origin_x: 50.0, origin_y: 14.5}

        """
    private static let oldest = """
        utm_origin_units: 1
        utm_origin_lat: 50.0
        utm_origin_lon: 14.5
        utm_origin_x: 465710.7
        utm_origin_y: 5249465.4

        """

    private func problem(_ text: String) -> String? {
        do throws(GeodesyError) {
            _ = try WorldFileReader.read(Array(text.utf8), source: "world.yaml")
        } catch { return error.what }
        return nil
    }

    /// Beside the managers, below them, and in the oldest layout.
    @Test(arguments: [
        ("tower: {polygon: [8, -3, 12, -3, 12, 3, 8, 3]}", "tower"), ("tower: [8, -3]", "tower"),
        ("tower: [[8, -3], [12, -3]]", "tower"), ("tower: [{x: 8, y: -3}]", "tower"), ("tower: {lat: 50.0}", "tower"),
        ("tower: {geometry: {coordinates: [[8]]}}", "geometry"), ("roof: [4.0]", "roof"),
        ("stay_below: [[2]]", "stay_below"), ("sites: {a: {b: [1.5, 2]}}", "b"),
        ("tower_x: 8", "tower_x"), ("tower: '8 -3 12 -3'", "tower"), ("tower: {Points: '8, -3'}", "tower"),
        ("tower: 'POLYGON((8 -3, 12 -3, 12 3, 8 -3))'", "tower"), ("origin: [8, -3]", "origin"),
        ("world_origins: {a: [1, 2]}", "a"),
    ])
    func `a key that is not known and holds a place is an error`(_ line: String, _ key: String) {
        for text in [Self.inside + line, Self.inside + "  " + line, Self.oldest + line] {
            let found = problem(text) ?? "read"
            let expected = "unknown key '\(key)', which holds a place or an area and may limit where"
            #expect(found.hasPrefix("world.yaml, line ") && found.contains(expected), "\(line): \(found)")
        }
    }

    /// A limit has any name; also with a unit, as a switch, and inside an origin.
    @Test(arguments: [
        "stay_below: 2", "hmax: 5", "vmax: 1", "agl: 10", "floor: 4", "roof: 4.0", "top: '5'", "upper: -5",
        "clearance: 1e1", "margin: 10", "buffer: 3 m", "leash: 10m", "tether_length: 10", "pace: 2 m/s",
        "geofenced: true", "indoors: on",
        "site: {roof: 4}", "sites: [{roof: 4}]", "local_origin: {roof: 4}",
    ])
    func `a key that is not known and holds a number or a switch is an error`(_ line: String) {
        for text in [Self.inside + line, Self.inside + "  " + line, Self.oldest + line] {
            let found = problem(text) ?? "read"
            #expect(found.hasPrefix("world.yaml, line ") && found.contains("may limit where"), "\(line): \(found)")
        }
    }

    @Test(arguments: [
        "use_utm_origin: true", "use_local_origin: false", "init_gps_origin_local: true",
        "rtk_local_origin_z: 1.5", "version: 2", "arena_id: 3", "arena: cisar", "note:", "uav_name: uav1",
        "comment: 10 people",
        "network: {robot_names: [uav1, uav2], access_point: roof}", "local_origin: {x: 0, y: 0}", "local_origin_x: 1",
        "init_gps_offset_x: 0", "date: 2024-05-01", "version: 1.2.3", "note: 3 cars, 1 tree", "uav_count: 2",
        "serial_no: 7", "center: north",
    ])
    func `other keys are ignored`(_ line: String) {
        for text in [Self.inside + line, Self.inside + "  " + line, Self.oldest + line] {
            #expect(problem(text) == nil, "\(line)")
        }
    }
}
