import RouteFiles
import Testing
import Trajectories

/// What properties, extended data, elements and columns of other programs say of the flight.
@Suite struct PropertyTests {
    /// One point with a property, in each format that has such: as GeoJSON, as KML in both ways, and as GPX.
    private func files(_ name: String, _ value: String) throws -> [ReadRoute] {
        func kml(_ data: String) throws -> ReadRoute {
            let point = "<Point><coordinates>8,47</coordinates></Point>"
            let inner = "<Placemark><ExtendedData>\(data)</ExtendedData>\(point)</Placemark>"
            return try read("<kml><Document>\(inner)</Document></kml>", name: "a.kml")
        }
        return [
            try read(feature("\"\(name)\": \(value)"), name: "a.geojson"),
            try kml("<Data name=\"\(name)\"><value>\(value)</value></Data>"),
            try kml("<SchemaData><SimpleData name=\"\(name)\">\(value)</SimpleData></SchemaData>"),
            try read(
                "<gpx><rte><rtept lat=\"47\" lon=\"8\"><extensions><\(name)>\(value)</\(name)></extensions></rtept></rte>"
                    + "</gpx>",
                name: "a.gpx"),
        ]
    }

    private func feature(_ properties: String, _ coordinates: String = "8, 47") -> String {
        "{\"type\": \"Feature\", \"properties\": {\(properties)}, \"geometry\": {\"type\": \"Point\","
            + " \"coordinates\": [\(coordinates)]}}"
    }

    @Test(arguments: [
        ("yaw", "90", "because its unit is not given: name it heading_deg or heading_rad"),
        ("bearing", "0", "and the route is flown without it"), ("course", "90", "and the route is flown without it"),
        ("wait", "5", "and the route is flown without it"), ("loiterTime", "5", "and the route is flown without it"),
        ("hold", "-1", "and the route is flown without it"),
        ("altitude", "50", "because its reference is not given: name it altitude_amsl"),
        ("flightHeight", "50", "and the route is flown without it"), ("max_height", "50", "and may limit the flight"),
    ])
    func `what says how to fly and is not held is an omission`(_ name: String, _ value: String, _ why: String) throws {
        for found in try files(name, value) {
            #expect(found.omissions.count == 1, "\(found)")
            let omission = try #require(found.omissions.first)
            #expect(omission.contains("'\(name)' is left out") && omission.contains(why), "\(omission)")
            #expect(found.notes.contains(omission))
        }
    }

    @Test(arguments: [
        ("hold", "10", RoutePoint(place: RouteSamples.place(47, 8), holdSeconds: 10)),
        ("heading_deg", "90", RoutePoint(place: RouteSamples.place(47, 8), heading: .fixed(radians: .pi / 2))),
        ("yaw_deg", "90", RoutePoint(place: RouteSamples.place(47, 8), heading: .fixed(radians: .pi / 2))),
        ("yaw_rad", "1.5", RoutePoint(place: RouteSamples.place(47, 8), heading: .fixed(radians: 1.5))),
        (
            "altitude_amsl", "50",
            RoutePoint(place: RouteSamples.place(47, 8), altitude: .init(metres: 50, reference: .meanSeaLevel))
        ),
        ("wait", "0", RoutePoint(place: RouteSamples.place(47, 8))),
        ("colour", "7", RoutePoint(place: RouteSamples.place(47, 8))),
    ])
    func `what is certain is read, as in tables`(_ name: String, _ value: String, _ point: RoutePoint) throws {
        for found in try files(name, value) {
            #expect(found.route.points == [point], "\(found)")
            #expect(found.omissions.isEmpty && found.speeds.isEmpty, "\(found)")
        }
    }

    @Test func `a speed is a demand in each format`() throws {
        for found in try files("speed", "1") {
            #expect(found.speeds.map(\.metresPerSecond) == [1])
            #expect(found.notes.contains { $0.hasSuffix("'speed' is left out") }, "\(found.notes)")
        }
        let track =
            "<gpx version=\"1.0\"><trk><trkseg><trkpt lat=\"47\" lon=\"8\"><course>90</course><speed>1</speed></trkpt>"
            + "</trkseg></trk></gpx>"
        let recorded = try read(track, name: "a.gpx")
        #expect(recorded.speeds.map(\.metresPerSecond) == [1])
        #expect(recorded.omissions == ["element 'course' is left out, and the route is flown without it"])
        let point =
            "<Placemark><Point><coordinates>8,47</coordinates></Point><w:waypointSpeed>3</w:waypointSpeed></Placemark>"
        let flown = try read(
            "<kml xmlns:w=\"w\"><Document><w:a><w:autoFlightSpeed>2</w:autoFlightSpeed></w:a>\(point)</Document></kml>",
            name: "a.kml")
        #expect(flown.speeds.map(\.metresPerSecond) == [2, 3])
    }

    @Test func `views, statistics and heights that are written twice are no omissions`() throws {
        let view = "<LookAt><altitude>9</altitude><heading>90</heading></LookAt>"
        let point = "<Placemark>\(view)<Point><coordinates>8,47</coordinates></Point></Placemark>"
        #expect(try read("<kml><Document>\(view)\(point)</Document></kml>", name: "a.kml").omissions.isEmpty)
        let statistics = "<extensions><TrackStatsExtension><MaxSpeed>1</MaxSpeed></TrackStatsExtension></extensions>"
        let gpx = "<gpx><trk>\(statistics)<trkseg><trkpt lat=\"47\" lon=\"8\"/></trkseg></trk></gpx>"
        #expect(try read(gpx, name: "a.gpx").speeds.isEmpty)
        #expect(try read(feature("\"altitude\": 50", "8, 47, 50"), name: "a.geojson").omissions.isEmpty)
        #expect(try read(feature("\"altitude\": 50", "8, 47, 60"), name: "a.geojson").omissions.count == 1)
    }

    @Test func `a column that says how to fly is an omission where it says something`() throws {
        let found = try read("x,y,z,bearing,delay,note\n1,2,3,90,0,a\n", name: "a.csv")
        #expect(found.omissions == ["column 'bearing' is left out, and the route is flown without it"])
        #expect(Set(found.extras) == ["column 'bearing'", "column 'delay'", "column 'note'"])
    }
}
