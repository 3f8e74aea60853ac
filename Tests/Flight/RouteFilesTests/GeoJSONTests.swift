import Geodesy
import RouteFiles
import Testing
import Trajectories

@Suite struct GeoJSONTests {
    @Test func `points, lines and outer rings come in the order of the file`() throws {
        let found = try read(
            """
            {"type": "FeatureCollection", "name": "survey", "features": [
              {"type": "Feature", "properties": {"name": "first", "other": [1]}, "geometry": {"type": "Point", "coordinates": [14.1, 50.1]}},
              {"type": "Feature", "properties": null, "geometry": {"type": "LineString", "coordinates": [[14.2, 50.2, 300], [14.3, 50.3]]}},
              {"type": "Feature", "properties": {}, "geometry": null},
              {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[1,1],[2,1],[2,2],[1,1]], [[1.1,1.1],[1.2,1.1],[1.1,1.2],[1.1,1.1]]]}},
              {"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": [{"type": "MultiPoint", "coordinates": [[5, 6]]}]}}
            ]}
            """, name: "a.geojson")
        #expect(found.route.name == "survey")
        #expect(found.route.points.count == 8)
        #expect(found.route.points[0].name == "first")
        #expect(found.route.points[0].place == RouteSamples.place(50.1, 14.1))
        #expect(found.route.points[0].altitude == nil)
        #expect(found.route.points[1].altitude == .init(metres: 300, reference: .ellipsoid))
        #expect(found.route.points[2].altitude == nil)
        #expect(found.notes.contains { $0.contains("ellipsoid") })
        #expect(found.notes.contains { $0.contains("holes") })
        #expect(found.notes.contains { $0.contains("without a geometry") })
    }

    @Test(arguments: [
        ("{\"type\": \"Point\"}", "line 1, column 1: the key 'coordinates' is missing"),
        ("{\"type\": \"Point\", \"coordinates\": [14.1]}", "found a list of 1, expected a longitude and a latitude"),
        ("{\"type\": \"Point\", \"coordinates\": [14.1, \"50\"]}", "column 41: found '50', expected a latitude"),
        (
            "{\"type\": \"Point\",\n\"coordinates\": [14.1, 95]}",
            "line 2, column 16: found latitude 95.0 is not within -90...90 degrees, expected a valid latitude and"
                + " longitude"
        ),
        ("{\"type\": \"Circle\", \"coordinates\": []}", "found 'Circle', expected Point, LineString, Polygon"),
        ("{\"type\": 5}", "found 5, expected a type of GeoJSON"),
        ("[]", "expected"),
        ("{\"type\": \"FeatureCollection\", \"features\": []}", "the file has no points"),
        ("{\"type\": \"Point\", \"coordinates\": [14.1, 50", "the file ends, expected ',' or ']'"),
        ("{\"type\": \"Poi", "the file ends within quotes"),
        ("{\"type\": \"Point\", \"coordinates\": [1e999, 50]}", "found '1e999, 50]}', expected a value"),
        ("{\"type\": \"Point\", \"coordinates\": [NaN, 50]}", "found 'NaN, 50]}', expected a value"),
        ("{\"type\": \"Point\", \"coordinates\": [1, 50]} x", "found 'x', expected the end of the file"),
        (
            "{\"type\":\"Feature\",\"properties\":{\"heading\":90},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}",
            "heading: found '90', expected along_path; an angle from east is heading_deg or heading_rad"
        ),
        (
            "{\"type\":\"Feature\",\"properties\":{\"hold_s\":-1},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}",
            "hold_s: found '-1', expected seconds, not less than 0"
        ),
        (
            "{\"type\":\"Feature\",\"properties\":{\"altitude_m\":1},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}",
            "found altitude_m alone, expected altitude_reference beside it"
        ),
    ])
    func `errors name file, line, what was found and what was expected`(text: String, expected: String) {
        let said = problem(text, name: "a.geojson")
        #expect(said.hasPrefix("a.geojson"))
        #expect(said.contains(expected), "\(said)")
    }

    @Test func `another coordinate system is refused, WGS84 by its old name is taken`() throws {
        func file(_ system: String) -> String {
            "{\"type\": \"Point\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"\(system)\"}}, \"coordinates\": [14, 50]}"
        }
        #expect(
            problem(file("urn:ogc:def:crs:EPSG::5514"), name: "a.json").contains(
                "found 'urn:ogc:def:crs:EPSG::5514', expected WGS84"))
        #expect(try read(file("urn:ogc:def:crs:OGC:1.3:CRS84"), name: "a.json").route.points.count == 1)
        #expect(
            problem("{\"type\": \"Point\", \"crs\": 5, \"coordinates\": [14, 50]}", name: "a.json").contains("found 5"))
        #expect(throws: RouteFileError.self) {
            try BackgroundReader.read(Array(file("EPSG:5514").utf8), name: "a.json")
        }
    }

    @Test func `nesting is bounded, at the limit and one past it`() {
        let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
        #expect(problem(deep(64), name: "a.geojson").contains("expected an object of GeoJSON"))
        #expect(problem(deep(65), name: "a.geojson").contains("more than 64 deep"))
        #expect(problem(String(repeating: "[", count: 1_000_000), name: "a.geojson").contains("more than 64 deep"))
        #expect(problem(String(repeating: "{\"a\":", count: 100_000), name: "a.geojson").contains("more than 64 deep"))
    }

    @Test func `text is read with its escapes`() throws {
        let found = try read(
            #"{"type":"Feature","properties":{"name":"\u010cesk\u00fd \ud83d\ude81 \ud800 \n\t\/\\\""},"#
                + #""geometry":{"type":"Point","coordinates":[1,2]}}"#, name: "a.json")
        #expect(found.route.points[0].name == "Český 🚁 \u{FFFD} \n\t/\\\"")
        for wrong in [#""\x""#, #""\u12""#, #""\u12g4""#, "\"\u{1}\"", #""\"#] {
            #expect(problem("{\"type\": \(wrong)}", name: "a.json").hasPrefix("a.json, line 1"))
        }
    }

    @Test func `binary where text was promised is an error, not a crash`() {
        var bytes = [UInt8](repeating: 0, count: 1000)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
        for format in RouteFormat.allCases {
            let said = problem(bytes, name: "a.\(format.fileExtension)")
            #expect(said.hasPrefix("a.\(format.fileExtension)"), "\(said)")
        }
    }

    @Test func `an empty file and an unknown one are errors`() {
        for format in RouteFormat.allCases {
            #expect(problem([], name: "a.\(format.fileExtension)").hasPrefix("a.\(format.fileExtension)"))
        }
        let known = "known are .geojson, .kml, .kmz, .gpx, .csv, .plan, .txt, .json, .waypoints, .mission"
        #expect(problem("hello", name: "a.doc").hasSuffix(known))
    }
}
