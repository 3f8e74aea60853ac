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
        // Other units than those that are read, and other quantities.
        ("altitude_amsl_ft", "1000", "and the route is flown without it"),
        ("alt_msl_ft", "1000", "and the route is flown without it"),
        ("z_ft", "100", "and the route is flown without it"), ("hold_ms", "5000", "and the route is flown without it"),
        ("hold_min", "5", "and the route is flown without it"),
        ("hold_altitude", "50", "and the route is flown without it"),
        ("hold_radius_m", "20", "and the route is flown without it"),
        ("heading_accuracy_deg", "5", "and the route is flown without it"),
        ("yaw_rate_deg", "30", "and the route is flown without it"),
        ("camera_pitch_rate_deg", "30", "and the route is flown without it"),
        ("snapshot_interval", "5", "and the route is flown without it"),
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
        ("hold_time_s", "5", RoutePoint(place: RouteSamples.place(47, 8), holdSeconds: 5)),
        ("yaw_degrees", "90", RoutePoint(place: RouteSamples.place(47, 8), heading: .fixed(radians: .pi / 2))),
        (
            "height_above_ground_m", "30",
            RoutePoint(place: RouteSamples.place(47, 8), altitude: .init(metres: 30, reference: .ground))
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
        // The same number, but above the ground: another height.
        let ground = try read(feature("\"altitude_agl\": 30", "8, 47, 30"), name: "a.geojson")
        #expect(ground.omissions == ["property 'altitude_agl' is left out, and the route is flown without it"])
        #expect(try read(feature("\"alt_ellipsoid\": 30", "8, 47, 30"), name: "a.geojson").omissions.isEmpty)
        let above = try read(feature("\"z_agl\": 30", "8, 47, 30"), name: "a.geojson")
        #expect(above.omissions == ["property 'z_agl' is left out, and the route is flown without it"])
    }

    @Test(arguments: [("heading_deg", true), ("yaw_deg", true), ("yaw_rad", true), ("hold", false)])
    func `a heading that may be one of a compass is noted`(_ name: String, _ isNoted: Bool) throws {
        for found in try files(name, "1") {
            #expect(found.notes.contains(ReadRoute.compassNote) == isNoted, "\(found.notes)")
        }
        #expect(try read(feature("\"heading_rad\": 1"), name: "a.geojson").notes.isEmpty)
    }

    @Test func `nested elements of other programs are omissions, wherever they stand`() throws {
        let inner =
            "<w:headingParam><w:waypointHeadingAngle>45</w:waypointHeadingAngle></w:headingParam>"
            + "<w:group><w:action><w:param><w:hoverTime>5</w:hoverTime></w:param></w:action></w:group>"
        let style = "<Style><IconStyle><heading>9</heading></IconStyle></Style>"
        let region = "<Region><LatLonAltBox><minAltitude>1</minAltitude></LatLonAltBox></Region>"
        let point = "<Point><coordinates>8,47</coordinates></Point>"
        let placemark = "<Placemark>\(style)\(region)\(inner)\(point)</Placemark>"
        let text = "<kml xmlns:w=\"w\"><Document>\(placemark)</Document></kml>"
        let left = "is left out, and the route is flown without it"
        #expect(
            try read(text, name: "a.kml").omissions == [
                "element 'waypointHeadingAngle' \(left)", "element 'hoverTime' \(left)",
            ])
    }

    @Test(arguments: [
        "<rte><rtept lat=\"47\" lon=\"8\"/></rte>", "<trk><trkseg><trkpt lat=\"47\" lon=\"8\"/></trkseg></trk>",
    ])
    func `what is said for a whole GPX file counts for its route or track`(_ points: String) throws {
        let said = "<extensions><speed>2</speed><maxHeight>50</maxHeight><hold_s>3</hold_s></extensions>"
        for text in ["<gpx><metadata>\(said)</metadata>\(points)</gpx>", "<gpx>\(points)\(said)</gpx>"] {
            let found = try read(text, name: "a.gpx")
            #expect(found.speeds.map(\.metresPerSecond) == [2])
            #expect(
                found.omissions == [
                    "element 'maxHeight' is left out, and may limit the flight",
                    "element 'hold_s' is left out, and the route is flown without it",
                ])
        }
    }

    @Test func `a column that says how to fly is an omission where it says something`() throws {
        let found = try read("x,y,z,bearing,delay,note\n1,2,3,90,0,a\n", name: "a.csv")
        #expect(found.omissions == ["column 'bearing' is left out, and the route is flown without it"])
        #expect(Set(found.extras) == ["column 'bearing'", "column 'delay'", "column 'note'"])
        let units = try read("lat,lon,alt_msl_ft,hold_ms,yaw_rate_deg\n47,8,1000,5000,30\n", name: "a.csv")
        #expect(units.route.points == [RoutePoint(place: RouteSamples.place(47, 8))])
        #expect(
            units.omissions
                == ["alt_msl_ft", "hold_ms", "yaw_rate_deg"].map {
                    "column '\($0)' is left out, and the route is flown without it"
                })
    }
}
