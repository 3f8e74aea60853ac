import RouteFiles
import Testing

/// What the vehicle would have flown and a route leaves out.
@Suite struct OmissionTests {
    private static func plan(_ items: [String]) -> String {
        "{\"fileType\": \"Plan\", \"version\": 1, \"mission\": {\"items\": [\(items.joined(separator: ","))]}}"
    }

    private static func item(_ command: Int, frame: Int = 3) -> String {
        "{\"type\": \"SimpleItem\", \"command\": \(command), \"frame\": \(frame), \"params\": [0,0,0,0,47,8,9]}"
    }

    @Test(arguments: [
        ([16, 18, 16], ["command 18 (LOITER_TURNS) is left out"]),
        ([16, 177, 16], ["command 177 (DO_JUMP) is left out"]),
        ([16, 31000], ["command 31000 is left out"]),
        ([16, 20, 16], ["a return to launch between waypoints is left out"]),
        ([16, 21, 16], ["a landing between waypoints is left out"]),
        ([16, 17, 16], ["an unlimited loiter between waypoints is left out"]),
        ([16, 22, 16], ["a take-off after a waypoint is left out"]),
        (
            [16, 82, 16],
            ["the curve of a spline waypoint (command 82) is not flown: the way to it is a straight line"]
        ),
        ([22, 16, 178, 206, 530, 16], []),
        (
            [16, 20],
            ["the return to launch is left out: the trajectory ends at the last point, and the file has no home"]
        ),
        ([22, 16, 16, 21], []),
        ([16, 17], []),
    ])
    func `items that would have been flown are omissions, others are not`(commands: [Int], expected: [String]) throws {
        let found = try read(Self.plan(commands.map { Self.item($0) }), name: "a.plan")
        #expect(found.omissions == expected)
        #expect(found.omissions.allSatisfy(found.notes.contains))
    }

    @Test func `a complex item without waypoints is an omission`() throws {
        let scan = "{\"type\": \"ComplexItem\", \"complexItemType\": \"StructureScan\"}"
        #expect(
            try read(Self.plan([Self.item(16), scan]), name: "a.plan").omissions == ["a StructureScan is left out"])
    }

    @Test func `a mission as text has the same omissions`() throws {
        let row = "\t0\t3\t16\t0\t0\t0\t0\t50\t14\t10\t1\n"
        let text = "QGC WPL 110\n1" + row + "2\t0\t3\t177\t1\t5\t0\t0\t0\t0\t0\t1\n3" + row
        #expect(try read(text, name: "a.waypoints").omissions == ["command 177 (DO_JUMP) is left out"])
    }

    @Test func `a second track, and tracks beside a route, are omissions`() throws {
        let segment = "<trkseg><trkpt lat=\"50\" lon=\"14\"/></trkseg>"
        let (track, route) = ("<trk>\(segment)</trk>", "<rte><rtept lat=\"50\" lon=\"14\"/></rte>")
        func found(_ inner: String) throws -> ReadRoute { try read("<gpx>\(inner)</gpx>", name: "a.gpx") }
        #expect(
            try found(track + track).omissions == ["2 tracks are joined: the legs between them are not in the file"])
        #expect(
            try found(route + route).omissions == ["2 routes are joined: the legs between them are not in the file"])
        #expect(try found(route + track).omissions == ["1 point of tracks is left out"])
        let parts = try found("<wpt lat=\"1\" lon=\"2\"/><trk>\(segment)\(segment)</trk><trk></trk>")
        #expect(parts.omissions == [])
        #expect(parts.notes == ["1 point of waypoints is left out", "2 segments of a track are joined"])
    }

    @Test func `segments of a track that are far from each other are an omission`() throws {
        func segment(_ longitude: String) -> String {
            "<trkseg><trkpt lat=\"47.39775\" lon=\"\(longitude)\"/></trkseg>"
        }
        func found(_ second: String) throws -> [String] {
            try read("<gpx><trk>\(segment("8.5456"))\(segment(second))</trk></gpx>", name: "a.gpx").omissions
        }
        #expect(
            try found("8.5466") == [
                "2 segments of a track are joined: the legs between them, up to 75 m, are not in the file"
            ])
        #expect(try found("8.5457") == [])
    }

    private static let joined = "are joined: the legs between them are not in the file"

    @Test(arguments: [
        ("P", [] as [String]), ("PPP", []), ("L", []), ("R", []), ("T", []), ("LE", []),
        ("LL", ["2 lines \(joined)"]), ("LT", ["2 lines \(joined)"]), ("M", ["2 lines \(joined)"]),
        ("A", ["a polygon is an area, and its border is flown as a path"]),
        (
            "LLA",
            ["2 lines and 1 polygon \(joined)", "a polygon is an area, and its border is flown as a path"]
        ),
        ("AA", ["2 polygons \(joined)", "2 polygons are areas, and their borders are flown as paths"]),
        ("PLP", ["1 line and 2 single points \(joined)"]),
    ])
    func `lines of KML that are joined, and areas that are flown, are omissions`(
        _ parts: String, _ expected: [String]
    ) throws {
        let two = "<coordinates>14,50 14.1,50</coordinates>"
        let (line, ring) = ("<LineString>\(two)</LineString>", "<LinearRing>\(two)</LinearRing>")
        let geometries: [Character: String] = [
            "P": "<Point><coordinates>14,50</coordinates></Point>", "L": line, "R": ring,
            "A": "<Polygon><outerBoundaryIs>\(ring)</outerBoundaryIs></Polygon>",
            "T": "<gx:Track xmlns:gx=\"g\"><gx:coord>14 50 3</gx:coord></gx:Track>",
            "M": "<MultiGeometry>\(line)\(line)</MultiGeometry>", "E": "<LineString/>",
        ]
        let placemarks = parts.map { "<Placemark>\(geometries[$0] ?? "")</Placemark>" }.joined()
        let found = try read("<kml><Document>\(placemarks)</Document></kml>", name: "a.kml")
        #expect(found.omissions == expected)
        #expect(found.omissions.allSatisfy(found.notes.contains))
    }

    @Test(arguments: [
        ("P", [] as [String]), ("PPP", []), ("N", []), ("PN", []), ("L", []), ("LE", []),
        ("LL", ["2 lines \(joined)"]), ("M", ["2 lines \(joined)"]),
        ("A", ["a polygon is an area, and its border is flown as a path"]),
        ("B", ["2 polygons \(joined)", "2 polygons are areas, and their borders are flown as paths"]),
        ("NL", ["1 line and 2 single points \(joined)"]),
    ])
    func `lines of GeoJSON that are joined, and areas that are flown, are omissions`(
        _ parts: String, _ expected: [String]
    ) throws {
        let two = "[[14,50],[14.1,50]]"
        let geometries: [Character: (type: String, coordinates: String)] = [
            "P": ("Point", "[14,50]"), "N": ("MultiPoint", two), "L": ("LineString", two),
            "E": ("LineString", "[]"),
            "M": ("MultiLineString", "[\(two),\(two)]"), "A": ("Polygon", "[\(two)]"),
            "B": ("MultiPolygon", "[[\(two)],[\(two)]]"),
        ]
        let list = parts.compactMap { geometries[$0] }
            .map { "{\"type\": \"\($0.type)\", \"coordinates\": \($0.coordinates)}" }.joined(separator: ",")
        let found = try read("{\"type\": \"GeometryCollection\", \"geometries\": [\(list)]}", name: "a.geojson")
        #expect(found.omissions == expected)
    }

    @Test func `more warnings than are kept do not hide an omission`() throws {
        let pictures = (0..<60).map {
            "{\"type\": \"ComplexItem\", \"complexItemType\": \"survey \($0)\", \"Items\": [\(Self.item(16))]}"
        }
        let found = try read(Self.plan(pictures + [Self.item(16), Self.item(177)]), name: "a.plan")
        #expect(found.omissions == ["command 177 (DO_JUMP) is left out"])
    }
}
