import Geodesy
import RouteFiles
import Testing
import Trajectories

@Suite struct GPXTests {
    @Test(arguments: ["1.0", "1.1"])
    func `routes count before tracks before waypoints`(version: String) throws {
        let waypoints = "<wpt lat=\"1\" lon=\"2\"><ele>3</ele></wpt>"
        let track =
            "<trk><name>t</name><trkseg><trkpt lat=\"50\" lon=\"14\"><ele>200.5</ele><time>x</time></trkpt></trkseg></trk>"
        let route = "<rte><rtept lat=\"49\" lon=\"13\"><name>A</name></rtept></rte>"
        func gpx(_ inner: String) -> String { "<?xml version=\"1.0\"?><gpx version=\"\(version)\">\(inner)</gpx>" }
        let all = try read(gpx(waypoints + track + route), name: "a.gpx")
        #expect(all.route.points == [RoutePoint(place: RouteSamples.place(49, 13), name: "A")])
        #expect(all.notes == ["1 point of tracks is left out", "1 point of waypoints is left out"])
        let two = try read(gpx(waypoints + track), name: "a.gpx")
        #expect(two.route.points.first?.altitude == .init(metres: 200.5, reference: .meanSeaLevel))
        #expect(two.route.name == "t")
        #expect(try read(gpx(waypoints), name: "a.gpx").route.points.first?.place == RouteSamples.place(1, 2))
    }

    @Test(arguments: ["<ele></ele>", "<ele/>", "<ele> \n</ele>"])
    func `a version may be missing, and an empty altitude counts as missing`(altitude: String) throws {
        let found = try read(
            "<!DOCTYPE gpx><gpx><wpt lat=\"50.1\" lon=\"14.5\">\(altitude)<name>a</name></wpt></gpx>", name: "a.gpx")
        #expect(found.route.points == [RoutePoint(place: RouteSamples.place(50.1, 14.5), name: "a")])
    }

    @Test func `names in windows-1252 are read`() throws {
        let head = "<?xml version=\"1.0\" encoding=\"windows-1252\"?><gpx><wpt lat=\"1\" lon=\"2\"><name>"
        let bytes = Array(head.utf8) + [0x80, 0xE9] + Array("</name></wpt></gpx>".utf8)
        #expect(try RouteFiles.read(bytes, name: "a.gpx").route.points.first?.name == "€é")
    }

    @Test(arguments: [
        ("<gpx version=\"2\"></gpx>", "line 1: version: found '2', expected 1.0 or 1.1"),
        ("<gpx version=\"1.1\">\n<wpt lat=\"1\"/></gpx>", "line 2: wpt lon: found nothing, expected degrees"),
        ("<gpx version=\"1.1\"><wpt lat=\"x\" lon=\"1\"/></gpx>", "wpt lat: found 'x', expected degrees"),
        ("<gpx version=\"1.1\"><wpt lat=\"91\" lon=\"1\"/></gpx>", "line 1: found latitude 91.0"),
        (
            "<gpx version=\"1.1\"><wpt lat=\"9\" lon=\"1\"><ele>high</ele></wpt></gpx>",
            "ele: found 'high', expected metres"
        ),
        ("<gpx version=\"1.1\"><wpt lat=\"9\" lon=\"1\">", "not well-formed XML: no element found"),
        ("<gpx version=\"1.1\"/>", "the file has no points"), ("<kml/><gpx", "expected gpx"),
    ])
    func `errors name file and line`(text: String, expected: String) {
        let said = problem(text, name: "a.gpx")
        #expect(said.hasPrefix("a.gpx"))
        #expect(said.contains(expected), "\(said)")
    }
}
