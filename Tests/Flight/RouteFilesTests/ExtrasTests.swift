import RouteFiles
import Testing
import Trajectories

/// What a file has besides its points, and would lose if they were written over it.
@Suite struct ExtrasTests {
    private func plan(_ items: [String], _ rest: String = "", mission: String = "") -> String {
        "{\"fileType\": \"Plan\", \(rest)\"mission\": {\(mission)\"items\": [\(items.joined(separator: ","))]}}"
    }

    private func item(_ command: Int, frame: Int = 0, radius: Int = 0) -> String {
        "{\"type\": \"SimpleItem\", \"command\": \(command), \"frame\": \(frame), \"params\": [0,\(radius),0,0,47,8,9]}"
    }

    @Test func `a plan of points alone has nothing else`() throws {
        let home = "\"plannedHomePosition\": [47, 8, 400], \"cruiseSpeed\": 15, \"hoverSpeed\": 5, "
        let fence = "\"geoFence\": {\"circles\": [], \"polygons\": [], \"version\": 2}, "
        #expect(try read(plan([item(16), item(16)], fence, mission: home), name: "a.plan").extras.isEmpty)
    }

    @Test func `a plan has its geofence, its other items and its speeds`() throws {
        let circle = "{\"circle\": {\"center\": [47, 8], \"radius\": 80}, \"inclusion\": false}"
        let rest = "\"geoFence\": {\"circles\": [\(circle)]}, \"rallyPoints\": {\"points\": [[47, 8, 9]]}, "
        let items = [item(22), item(16, frame: 3), item(177), item(178), item(16, radius: 2), item(20)]
        let found = try read(plan(items, rest, mission: "\"hoverSpeed\": 7, "), name: "a.plan").extras
        #expect(
            Set(found) == [
                "the geofence", "the rally points", "the take-off", "command 177 (DO_JUMP)", "a change of speed",
                "the return to launch", "the radii of waypoints", "the speeds of the vehicle", "altitudes above home",
            ], "\(found)")
    }

    @Test func `tables: columns, comments, names and another frame`() throws {
        #expect(try read("1,2,3,0\n4,5,6,0\n", name: "a.csv").extras.isEmpty)
        #expect(try read("# frame: world_origin, heading: rad\nx,y,z\n1,2,3\n", name: "a.csv").extras.isEmpty)
        let found = try read("# my field\n# frame: local_origin\nx,y,z,speed,name\n1,2,3,4,a\n", name: "a.csv").extras
        #expect(
            Set(found) == ["column 'speed'", "comments", "the names of points", "coordinates in local_origin"],
            "\(found)")
    }

    @Test func `what a reader of points passes over in silence is named too`() throws {
        let feature = "{\"type\": \"Feature\", \"properties\": {\"hold_s\": 2, \"colour\": \"red\"}, \"geometry\": "
        let json = feature + "{\"type\": \"Point\", \"coordinates\": [8, 47]}}"
        #expect(try read(json, name: "a.geojson").extras == ["properties such as 'colour'"])
        let point = "<Point><altitudeMode>absolute</altitudeMode><coordinates>8,47,9</coordinates></Point>"
        let kml = "<kml><Document><Placemark><description>a</description>\(point)</Placemark></Document></kml>"
        #expect(try read(kml, name: "a.kml").extras == ["elements such as 'description'"])
        let gpx = "<gpx><rte><rtept lat=\"47\" lon=\"8\"><ele>9</ele><time>a</time></rtept></rte></gpx>"
        #expect(try read(gpx, name: "a.gpx").extras == ["elements such as 'time'"])
    }

    /// Otherwise each file of ours would be asked about before it is written again.
    @Test(arguments: [RouteFormat.geoJSON, .kml, .kmz, .gpx, .csv, .plan])
    func `what is written has nothing else`(format: RouteFormat) throws {
        var route = RouteSamples.globe
        (route.name, route.points) = ("", [route.points[1]])
        route.points[0].name = ""
        let written = try RouteFiles.write(route, as: format)
        let found = try RouteFiles.read(written.bytes, name: "a.\(format.fileExtension)").extras
        #expect(found.isEmpty, "\(found)")
    }
}
