import Geodesy
import RouteFiles
import Testing
import Trajectories

@Suite struct PlanTests {
    func plan(_ items: String...) -> String {
        """
        {"fileType": "Plan", "version": 1, "groundStation": "QGroundControl",
         "geoFence": {"circles": [], "polygons": [], "version": 2}, "rallyPoints": {"points": [[1, 2, 3]]},
         "mission": {"items": [\(items.joined(separator: ",\n"))], "plannedHomePosition": [47, 8, 400], "version": 2}}
        """
    }

    func item(_ command: Int, _ parameters: String, frame: Int = 3) -> String {
        "{\"type\": \"SimpleItem\", \"command\": \(command), \"frame\": \(frame), \"params\": [\(parameters)]}"
    }

    @Test func `waypoints with hold, yaw, interest, gimbal and pictures`() throws {
        let found = try read(
            plan(
                item(22, "15,0,0,null,47.1,8.1,20"), item(16, "5,0,0,90,47.2,8.2,30"),
                item(205, "-45,0,0,0,0,0,2", frame: 2),
                item(2000, "0,0,1,0,null,null,null", frame: 2), item(201, "0,0,0,0,47.5,8.5,0"),
                item(16, "0,0,0,null,47.3,8.3,40", frame: 0), item(93, "4,0,0,0,0,0,0", frame: 2),
                item(197, "0,0,0,0,0,0,0"),
                item(19, "6,0,0,0,47.4,8.4,50", frame: 10), item(178, "1,5,-1,0,0,0,0", frame: 2),
                item(20, "0,0,0,0,0,0,0"),
                item(530, "0,0,0,0,0,0,0")), name: "a.plan")
        let points = found.route.points
        #expect(points.count == 3)
        #expect(points[0].altitude == .init(metres: 30, reference: .home))
        #expect(points[0].heading == .fixed(radians: 0))
        #expect(points[0].holdSeconds == 5)
        #expect(points[0].cameraPitchRadians == -.pi / 4)
        #expect(points[0].takesSnapshot)
        #expect(points[1].altitude == .init(metres: 40, reference: .meanSeaLevel))
        #expect(points[1].heading == .towards(RouteSamples.place(47.5, 8.5)))
        #expect(points[1].holdSeconds == 4)
        #expect(points[2].altitude == .init(metres: 50, reference: .ground))
        #expect(points[2].holdSeconds == 6)
        #expect(points[2].heading == nil)
        for word in ["take-off", "return to launch", "speed", "command 530", "rally points"] {
            #expect(found.notes.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test(arguments: [(201, "0,0,0"), (195, "0,0,0"), (201, "0,0,null"), (197, "0,0,0")])
    func `a region of interest at three zeros is the end of the one before`(_ command: Int, _ place: String) throws {
        let (first, second) = (item(16, "0,0,0,null,47.1,8.1,9"), item(16, "0,0,0,null,47.2,8.2,9"))
        let looking = item(201, "0,0,0,0,47.5,8.5,0")
        let found = try read(plan(looking, first, item(command, "0,0,0,0,\(place)"), second), name: "a.plan")
        #expect(found.route.points.map(\.heading) == [.towards(RouteSamples.place(47.5, 8.5)), nil])
        let elsewhere = try read(plan(item(201, "0,0,0,0,0,0,5"), second), name: "a.plan")
        #expect(elsewhere.route.points.map(\.heading) == [.towards(RouteSamples.place(0, 0))])
        let row = "\t0\t3\t16\t0\t0\t0\t0\t47.1\t8.1\t10\t1\n"
        let zeros = "2\t0\t3\t201\t0\t0\t0\t0\t0\t0\t0\t1\n"
        let text = "QGC WPL 110\n0\t0\t3\t201\t0\t0\t0\t0\t47.5\t8.5\t0\t1\n1" + row + zeros + "3" + row
        #expect(try read(text, name: "a.waypoints").route.points.map { $0.heading == nil } == [false, true])
    }

    @Test(arguments: [
        // Bearing, direction, relative; the waypoint before looks east (compass 90).
        ("0,0,0,0", 90, false), ("0,0,1,0", 90, true), ("180,0,-1,0", -90, true),
        ("90,0,0,1", -90, false), ("90,0,1,1", -90, false), ("90,0,-1,1", 90, false), ("-90,0,0,1", 90, false),
        ("270,0,1,1", 90, true),
    ])
    func `a yaw is absolute or relative, and says when it turns the other way`(
        yaw: String, degrees: Double, isDoubted: Bool
    ) throws {
        let found = try read(
            plan(item(16, "0,0,0,90,47.2,8.2,30"), item(115, yaw + ",0,0,0", frame: 2)), name: "a.plan")
        guard case .fixed(let radians)? = found.route.points[0].heading else {
            Issue.record("\(found)")
            return
        }
        #expect(abs(radians - degrees * .pi / 180) < 1e-9, "\(radians)")
        #expect(found.notes.contains { $0.contains("turns the shorter way") } == isDoubted)
        #expect(found.omissions.isEmpty)
    }

    @Test func `a change of speed is left out aloud, with its value`() throws {
        let point = item(16, "0,0,0,0,47.2,8.2,30")
        let found = try read(plan(point, item(178, "1,1.5,-1,0,0,0,0", frame: 2), point), name: "a.plan")
        #expect(found.notes.contains("a change of speed to 1.5 m/s is left out: the trajectory has its own speed"))
    }

    @Test func `a yaw by an angle needs a yaw before it`() throws {
        let relative = item(115, "90,0,1,1,0,0,0", frame: 2)
        let found = try read(plan(item(16, "0,0,0,null,47.2,8.2,30"), relative), name: "a.plan")
        #expect(found.route.points[0].heading == nil)
        #expect(found.omissions == ["a yaw by an angle after a waypoint without a yaw is left out"])
        let twice = try read(plan(item(16, "0,0,0,0,47.2,8.2,30"), relative, relative), name: "a.plan")
        guard case .fixed(let radians)? = twice.route.points[0].heading else {
            Issue.record("\(twice)")
            return
        }
        #expect(abs(radians + .pi / 2) < 1e-9, "\(radians)")
        for (yaw, words) in [
            ("90,0,7,1,0,0,0", "the direction of its yaw, the third parameter, is 7.0, expected -1, 0 or 1"),
            ("90,0,1,2,0,0,0", "whether its yaw is relative, the fourth parameter, is 2.0, expected 0 or 1"),
        ] {
            #expect {
                try read(plan(item(16, "0,0,0,0,47.2,8.2,30"), item(115, yaw, frame: 2)), name: "a.plan")
            } throws: {
                ($0 as? RouteFileError)?.what.contains(words) == true
            }
        }
    }

    @Test(arguments: [("survey", true), ("CorridorScan", true), ("StructureScan", true), ("StructureScan", false)])
    func `a complex item is flown where the file has its items`(kind: String, isTransect: Bool) throws {
        let waypoints = [47.0, 47.001].map { item(16, "0,0,0,null,\($0),8,30") }.joined(separator: ",")
        let items = "\"Items\": [\(waypoints)]"
        let complex =
            "{\"type\": \"ComplexItem\", \"complexItemType\": \"\(kind)\", "
            + (isTransect ? "\"TransectStyleComplexItem\": {\(items)}}" : items + "}")
        let found = try read(plan(item(16, "0,0,0,null,46.9,8,30"), complex), name: "a.plan")
        let places = [46.9, 47, 47.001].map { RouteSamples.place($0, 8) }
        #expect(found.route.points.map(\.place) == places)
        #expect(found.omissions.isEmpty && found.notes.contains("a \(kind) is read as its waypoints"))
    }

    @Test func `a survey is taken as its waypoints, other complex items are left out aloud`() throws {
        let survey =
            "{\"type\": \"ComplexItem\", \"complexItemType\": \"survey\", \"TransectStyleComplexItem\": {\"Items\": [\(item(16, "0,0,0,null,47,8,30"))]}}"
        let found = try read(
            plan(survey, "{\"type\": \"ComplexItem\", \"complexItemType\": \"fwLandingPattern\"}"), name: "a.plan")
        #expect(found.route.points.count == 1)
        #expect(found.notes.contains("a survey is read as its waypoints"))
        #expect(found.notes.contains("a fwLandingPattern is left out"))
    }

    private func fenced(_ fence: String) throws -> Geofence {
        try read(
            "{\"fileType\": \"Plan\", \"geoFence\": {\(fence)}, \"mission\": {\"items\": [\(item(16, "0,0,0,null,47,8,30"))]}}",
            name: "a.plan"
        ).fence
    }

    @Test func `a geofence of circles and polygons, to stay in and to stay out of`() throws {
        let corners = "[[47, 8], [47.1, 8], [47, 8.1]]"
        let places = [(47, 8), (47.1, 8), (47, 8.1)].map {
            GeographicCoordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1)
        }
        let circle = "{\"circle\": {\"center\": [47, 8], \"radius\": 72.5}, \"inclusion\": true, \"version\": 1}"
        let found = try fenced(
            "\"circles\": [\(circle)], \"polygons\": [{\"polygon\": \(corners), \"inclusion\": false}], \"version\": 2")
        #expect(
            found.areas == [
                .init(.circle(centre: places[0], radiusMetres: 72.5), isInclusion: true),
                .init(.polygon(places), isInclusion: false),
            ])
        // As older programs wrote it.
        let older = try fenced("\"circles\": [], \"polygon\": \(corners), \"version\": 1")
        #expect(older.areas == [.init(.polygon(places), isInclusion: true)])
        #expect(try fenced("").areas.isEmpty)
        for wrong in [
            "\"circles\": [{}]", "\"circles\": 7", "\"polygons\": [{\"polygon\": [[47, 8], [47, 9]]}]",
            "\"polygon\": [[47, 8], [147, 8], [47, 9]]",
            "\"circles\": [{\"circle\": {\"center\": [47, 8], \"radius\": -1}}]",
            "\"polygons\": [{\"polygon\": \(corners), \"inclusion\": 1}]",
        ] {
            #expect(throws: RouteFileError.self, "\(wrong)") { try fenced(wrong) }
        }
    }

    @Test func `a waypoint without an altitude has none`() throws {
        #expect(try read(plan(item(16, "0,0,0,null,47,8,null")), name: "a.plan").route.points[0].altitude == nil)
    }

    @Test func `errors name file, line and field`() {
        for (text, expected) in [
            (plan(item(16, "0,0,0,null,47,8")), "line 3, column 84: found a list of 6, expected seven parameters"),
            (plan(item(16, "0,0,0,null,97,8,1")), "found latitude 97.0"),
            (plan(item(16, "0,0,0,null,null,8,1")), "found an item without latitude and longitude"),
            (
                plan(item(16, "0,0,0,null,47,8,1", frame: 1)),
                "found 1, expected frame 0 (sea level), 3 (home) or 10 (ground)"
            ),
            (plan(item(16, "-1,0,0,null,47,8,1")), "a hold of 0 seconds or more"),
            (plan("{\"type\": \"SimpleItem\"}"), "the key 'command' is missing"),
            (plan("{\"type\": \"Other\"}"), "found 'Other', expected SimpleItem or ComplexItem"),
            (plan("7"), "found 7, expected an item"),
            ("{\"fileType\": \"Plan\"}", "the key 'mission' is missing"),
            ("{\"fileType\": \"Parameters\"}", "expected Plan"),
            ("{\"fileType\": \"Plan\", \"version\": 2}", "found 2, expected version 1"),
            (plan(), "the file has no points"),
        ] {
            let said = problem(text, name: "a.plan")
            #expect(said.hasPrefix("a.plan"))
            #expect(said.contains(expected), "\(said)")
        }
    }
}
