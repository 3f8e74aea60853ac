import RouteFiles
import Testing
import Trajectories

/// What a plan has besides its waypoints: each part of it is a finding, and what would have been flown, or is a limit, fails.
@Suite struct PlanOmissionTests {
    private static func item(_ command: Int, _ parameters: String = "0,0,0,null,47,8,9", _ more: String = "") -> String
    {
        "{\"type\": \"SimpleItem\", \(more)\"command\": \(command), \"frame\": 3, \"params\": [\(parameters)]}"
    }

    private static func plan(_ items: [String], top: String = "", mission: String = "") -> String {
        "{\"fileType\": \"Plan\", \(top)\"mission\": {\(mission)\"items\": [\(items.joined(separator: ","))]}}"
    }

    private func found(_ items: [String], top: String = "", mission: String = "") throws -> ReadRoute {
        try read(Self.plan(items, top: top, mission: mission), name: "a.plan")
    }

    @Test(arguments: [
        ("\"geoFence\": {\"version\": 3, \"areas\": [1]}", "'areas'"),
        ("\"geoFence\": {\"version\": 2, \"exclusionPolygons\": [[1]]}", "'exclusionPolygons'"),
        ("\"geoFence\": {\"rectangles\": []}", "'rectangles'"),
        ("\"geoFence\": {\"circles\": [], \"version\": 9}", "version 1 or 2 of the geofence"),
        ("\"geoFence\": [[47, 8]]", "the geofence"),
        (
            "\"geoFence\": {\"circles\": [{\"circle\": {\"center\": [47, 8], \"radius\": 9, \"height\": 3}}]}",
            "'height'"
        ),
        (
            "\"geoFence\": {\"polygons\": [{\"polygon\": [[47, 8], [47.1, 8], [47, 8.1]], \"maxAltitude\": 5}]}",
            "'maxAltitude'"
        ),
        ("\"geofence\": {\"circles\": []}", "'geofence'"), ("\"GeoFence\": {}", "'GeoFence'"),
        ("\"noFlyZones\": []", "'noFlyZones'"),
    ])
    func `a geofence that is not understood is an error that names its key`(_ top: String, _ words: String) {
        let said = problem(Self.plan([Self.item(16)], top: top + ", "), name: "a.plan")
        #expect(said.hasPrefix("a.plan, line 1, column ") && said.contains(words), "\(said)")
    }

    @Test func `a mission of an older program has the same geofence errors`() {
        let old =
            "{\"MAV_AUTOPILOT\": 3, \"geofence\": {}, \"version\": 2, \"items\": [{\"command\": 16, \"frame\": 3,"
            + " \"params\": [0,0,0,0], \"coordinate\": [47, 8, 9]}]}"
        #expect(problem(old, name: "a.mission").contains("unknown key 'geofence'"))
    }

    /// At the root they are errors; in an item the others of the file are findings as well.
    @Test(arguments: [
        ("maxSpeed", true), ("maxAltitude", true), ("noFlyZone", true), ("AutoContinue", true), ("loiterTurns", false),
        ("holdTime", false), ("heading", false), ("extra", false),
    ])
    func `a key of an item that is not known is a finding, and one that may limit is an omission`(
        _ key: String, _ mayLimit: Bool
    ) throws {
        let item = Self.item(16, "0,0,0,null,47,8,9", "\"\(key)\": [1, 2], \"other\": null, ")
        let text = "the key '\(key)' of an item is left out" + (mayLimit ? ", and may limit the flight" : "")
        let plan = try found([item, Self.item(16)])
        #expect(plan.notes == [text] && plan.omissions == (mayLimit ? [text] : []))
        #expect(plan.route.points.count == 2)
        let old =
            "{\"MAV_AUTOPILOT\": 3, \"version\": 2, \"items\": [{\"command\": 16, \"frame\": 3, \"\(key)\": 7,"
            + " \"params\": [0,0,0,0], \"coordinate\": [47, 8, 9], \"doJumpId\": 1}]}"
        #expect(try read(old, name: "a.mission").notes.contains(text))
    }

    @Test func `the same for surveys, scans and rally points, but not for what QGroundControl writes`() throws {
        func survey(_ kind: String, _ more: String = "", inside: String = "", camera: String = "") -> String {
            "{\"type\": \"ComplexItem\", \"complexItemType\": \"\(kind)\", \"version\": 5, \"angle\": 0,"
                + " \"polygon\": [], \"entryLocation\": 0, \"CorridorWidth\": 9, \"EntranceAltitude\": 9, \(more)"
                + "\"TransectStyleComplexItem\": {\"TerrainFlightSpeed\": 5, \"TurnAroundDistance\": 3, \(inside)"
                + "\"CameraCalc\": {\(camera)\"DistanceToSurface\": 9, \"version\": 1},"
                + " \"Items\": [\(Self.item(16, "0,0,0,null,47,8,9", "\"AltitudeMode\": 1, \"Altitude\": 9, "))]}}"
        }
        let isRead = "a survey is read as its waypoints"
        #expect(try found([survey("survey")]).notes == [isRead])
        let exclusion = try found([survey("survey", "\"exclusion\": [[47, 8]], ")])
        #expect(exclusion.omissions == ["the key 'exclusion' of a survey is left out, and may limit the flight"])
        let limit = try found([survey("survey", inside: "\"extraLimit\": 1, \"extra\": 1, ")])
        #expect(limit.omissions == ["the key 'extraLimit' of a survey is left out, and may limit the flight"])
        #expect(limit.notes.contains("the key 'extra' of a survey is left out"))
        let camera = try found([survey("StructureScan", camera: "\"extra\": 1, ")])
        #expect(camera.notes.contains("the key 'extra' of the camera of a StructureScan is left out"))
        let rally = try found([Self.item(16)], top: "\"rallyPoints\": {\"points\": [], \"radius\": 9}, ")
        #expect(rally.omissions == ["the key 'radius' of the rally points is left out, and may limit the flight"])
    }

    @Test func `keys that are no limits are findings`() throws {
        let read = try found([Self.item(16)], top: "\"comment\": 1, \"other\": null, ", mission: "\"weather\": 3, ")
        #expect(read.notes == ["the key 'comment' is left out", "the key 'weather' is left out"])
        #expect(
            problem(Self.plan([Self.item(16)], mission: "\"maxSpeed\": 3, "), name: "a.plan").contains("'maxSpeed'"))
    }

    @Test func `the speeds of a plan are told apart from those that are always written`() throws {
        let written = try found([Self.item(16)], mission: "\"cruiseSpeed\": 15, \"hoverSpeed\": 5, ")
        #expect(written.notes.isEmpty)
        #expect(written.speeds.map(\.metresPerSecond) == [15, 5] && written.speeds.allSatisfy(\.isDefault))
        let slow = try found(
            [Self.item(16), Self.item(178, "1,2,-1,0,0,0,0"), Self.item(178, "1,0.5,-1,0,0,0,0"), Self.item(16)],
            mission: "\"hoverSpeed\": 0.8, ")
        #expect(slow.notes.contains("the speeds of the vehicle are left out: the trajectory has its own speed"))
        #expect(slow.speeds.map(\.metresPerSecond) == [0.8, 0.5])
        #expect(slow.speeds.map(\.source) == ["hoverSpeed", "a change of speed"])
    }

    @Test func `a column or property of speeds is a demand, another limit fails`() throws {
        let table = try read("x,y,z,speed,max_speed_kmh\n1,2,3,2,36\n4,5,6,0.5,\n7,8,9,0,18\n", name: "a.csv")
        #expect(table.speeds.map(\.metresPerSecond) == [0.5, 5])
        #expect(table.speeds.map(\.source) == ["column 'speed'", "column 'max_speed_kmh'"])
        #expect(table.omissions.isEmpty)
        #expect(
            try read("x,y,z,speed\n1,2,3,slow\n", name: "a.csv").omissions == [
                "column 'speed' is left out, and is no number"
            ])
        #expect(
            try read("x,y,z,max_z\n1,2,3,4\n", name: "a.csv").omissions == [
                "column 'max_z' is left out, and may limit the flight"
            ])
        let feature =
            "{\"type\": \"Feature\", \"properties\": {\"maxSpeed\": 0.5}, \"geometry\": {\"type\": \"Point\","
            + " \"coordinates\": [8, 47]}}"
        #expect(try read(feature, name: "a.geojson").speeds.map(\.metresPerSecond) == [0.5])
    }

    @Test(arguments: ["[]", "[\(item(206))]"])
    func `a survey without waypoints is an omission`(_ items: String) throws {
        let survey =
            "{\"type\": \"ComplexItem\", \"complexItemType\": \"survey\", \"TransectStyleComplexItem\": {\"Items\": \(items)}}"
        let read = try found([Self.item(16), survey])
        #expect(read.omissions == ["a survey is left out: the file has none of its waypoints"])
        #expect(!read.notes.contains { $0.contains("is read as") })
    }

    @Test(arguments: [
        (
            21, "47.002,8",
            "the landing is left out: its place is 223 m away from the last point, where the trajectory ends"
        ),
        (21, "47,8", ""), (21, "0,0", ""),
        (22, "47.002,8", "the take-off is left out: its place is 223 m away from point 1, where the trajectory begins"),
        (22, "47,8", ""), (22, "null,null", ""),
        (
            20, "0,0",
            "the return to launch is left out: the planned home is 111 m away from the last point, where the trajectory"
                + " ends"
        ),
    ])
    func `a take-off and a landing elsewhere are omissions`(_ command: Int, _ place: String, _ omission: String) throws
    {
        let other = Self.item(command, "0,0,0,null,\(place),9")
        let read = try found(
            command == 22 ? [other, Self.item(16)] : [Self.item(16), other],
            mission: "\"plannedHomePosition\": [47.001, 8, 1], ")
        #expect(read.omissions == (omission.isEmpty ? [] : [omission]))
        #expect(!read.notes.isEmpty)
    }

    @Test func `a return to launch at home is a note`() throws {
        let read = try found(
            [Self.item(16), Self.item(20, "0,0,0,0,0,0,0")], mission: "\"plannedHomePosition\": [47, 8, 1], ")
        #expect(read.omissions.isEmpty && read.notes == ["the return to launch is left out: land afterwards"])
    }

    @Test func `a wait for the pilot between waypoints is an omission`() throws {
        let waiting = Self.item(16, "0,0,0,null,47,8,9", "\"autoContinue\": false, ")
        let wait = "a wait for the pilot (autoContinue: false)"
        #expect(try found([waiting, Self.item(16)]).omissions == ["\(wait) between waypoints is left out"])
        let last = try found([Self.item(16), waiting])
        #expect(last.omissions.isEmpty && last.notes == ["\(wait) is left out"])
        let row = "\t0\t3\t16\t0\t0\t0\t0\t50\t14\t10\t"
        #expect(
            try read("QGC WPL 110\n1\(row)0\n2\(row)1\n", name: "a.waypoints").omissions == [
                "\(wait) between waypoints is left out"
            ])
    }

    @Test func `radii, series of pictures and the rest of a geofence are findings`() throws {
        let fence = "\"geoFence\": {\"breachReturn\": [47, 8, 9], \"parameters\": [{\"FENCE_ALT_MAX\": 3}]}, "
        let read = try found(
            [Self.item(16, "0,2,0,null,47,8,9"), Self.item(2000, "0,3,0,0,null,null,null")], top: fence)
        #expect(
            read.notes == [
                "the radii of waypoints are left out: the trajectory rounds corners by its own rule",
                "a series of pictures is read as one picture at its waypoint",
                "the breach return point of the geofence is left out",
                "the parameters of the geofence are not checked: they may limit where the vehicle may fly",
            ])
        #expect(read.omissions == [read.notes.last ?? ""])
        #expect(
            try found([Self.item(16)], top: "\"geoFence\": {\"breachReturn\": [], \"parameters\": []}, ").notes == [])
    }

    @Test func `a plan for another kind of vehicle is an omission`() throws {
        func omissions(_ type: Int) throws -> [String] {
            try found([Self.item(16)], mission: "\"vehicleType\": \(type), ").omissions
        }
        for type in [0, 2, 13] { #expect(try omissions(type).isEmpty) }
        #expect(try omissions(1).first?.hasPrefix("the plan is for a fixed-wing aircraft") == true)
        #expect(try omissions(77).first?.hasPrefix("the plan is for a vehicle of type 77") == true)
    }

    @Test(
        arguments: [
            ("goHome", true), ("gotoFirstWaypoint", true), ("autoLand", false), ("noAction", nil),
        ] as [(String, Bool?)])
    func `what a mission of DJI does at its ends is a finding`(_ action: String, _ isFlown: Bool?) throws {
        let kml =
            "<kml xmlns:wpml=\"w\"><Document><wpml:missionConfig><wpml:flyToWaylineMode>safely</wpml:flyToWaylineMode>"
            + "<wpml:finishAction>\(action)</wpml:finishAction></wpml:missionConfig><Placemark><Point><coordinates>8,47"
            + "</coordinates></Point></Placemark></Document></kml>"
        let found = try read(kml, name: "a.kml")
        let said = "finishAction '\(action)' is left out"
        #expect(found.notes.contains("flyToWaylineMode 'safely' is left out"))
        #expect(found.notes.contains { $0.hasPrefix(said) } == (isFlown != nil))
        #expect(found.omissions.contains("\(said): the trajectory ends at the last point") == (isFlown == true))
    }

    @Test func `a tour of KML is a finding`() throws {
        let kml =
            "<kml xmlns:gx=\"g\"><Document><gx:Tour><gx:Playlist/></gx:Tour><Placemark><Point><coordinates>8,47"
            + "</coordinates></Point></Placemark></Document></kml>"
        #expect(try read(kml, name: "a.kml").notes.contains("Tour is left out"))
    }
}
