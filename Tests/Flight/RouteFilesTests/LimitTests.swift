import Geodesy
import RouteFiles
import Testing
import Trajectories

/// Reading stops at the first point beyond the limit: what follows it cannot be read at all, and nothing says so.
@Suite struct LimitTests {
    /// A file: what comes before its points, one of them, what separates them, and what comes after.
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        var head = ""
        let point: String
        var between = ""
        var tail = "<wrong"
        /// The most elements of this kind for each point.
        var most = 1

        var testDescription: String { name + " " + head }

        func bytes(_ count: Int) -> [UInt8] {
            Array((head + Array(repeating: point, count: count).joined(separator: between) + tail).utf8)
        }
    }

    static let files = [
        File(name: "a.csv", point: "1,2,3,0\n", tail: "wrong"), File(name: "a.txt", point: "1,2,3,0\r", tail: "wrong"),
        File(name: "a.csv", head: "lat,lon\n", point: "1,2\n", tail: "wrong"),
        File(name: "a.gpx", head: "<gpx version='1.1'><rte>", point: "<rtept lat='1' lon='2'></rtept>"),
        File(name: "a.gpx", head: "<gpx version='1.1'><trk><trkseg>", point: "<trkpt lat='1' lon='2'></trkpt>"),
        File(name: "a.gpx", head: "<gpx version='1.1'>", point: "<wpt lat='1' lon='2'></wpt>"),
        File(
            name: "a.kml", head: "<kml>",
            point: "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"),
        File(
            name: "a.kml", head: "<kml><Placemark><LineString><coordinates>", point: "1,2", between: " ",
            tail: " wrong</coordinates></LineString></Placemark></kml>"),
        File(
            name: "a.kml", head: "<kml><Placemark><MultiGeometry>",
            point: "<Point><coordinates>1,2</coordinates></Point>"),
        File(name: "a.kml", head: "<kml><Placemark><Track>", point: "<coord>1 2 3</coord>"),
        File(
            name: "a.geojson", head: #"{"type":"LineString","coordinates":["#, point: "[1,2]", between: ",",
            tail: "wrong"),
        File(
            name: "a.geojson", head: #"{"type":"FeatureCollection","features":["#,
            point: #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#, between: ",", tail: "wrong"),
        File(
            name: "a.waypoints", head: "QGC WPL 110\n", point: "1\t0\t3\t16\t0\t0\t0\t0\t50\t14\t10\t1\n",
            tail: "wrong"),
        File(
            name: "a.plan", head: #"{"fileType":"Plan","mission":{"items":["#,
            point: #"{"type":"SimpleItem","command":16,"frame":0,"params":[0,0,0,null,1,2,3]}"#, between: ",",
            tail: "wrong", most: 4),
    ]

    @Test(arguments: files)
    func `nothing after the first point beyond the limit is read`(file: File) {
        func message(_ count: Int) -> String {
            do throws(RouteFileError) {
                _ = try RouteFiles.read(file.bytes(count * file.most), name: file.name, maximumPoints: 20)
                return ""
            } catch { return error.description }
        }
        let atLimit = message(20)
        #expect(atLimit.hasPrefix(file.name) && !atLimit.contains("expected at most \(20 * file.most)"), "\(atLimit)")
        let beyond = message(21)
        #expect(beyond.hasPrefix(file.name) && beyond.contains("expected at most \(20 * file.most)"), "\(beyond)")
    }

    @Test func `a route has at most 100 000 points`() throws {
        #expect(Route.maximumPoints == 100_000)
        let line = "1,2,3,0\n"
        let full = String(repeating: line, count: Route.maximumPoints)
        #expect(try read(full, name: "a.csv").route.points.count == Route.maximumPoints)
        #expect(
            problem(full + line + "wrong", name: "a.csv")
                == "a.csv, line 100001: found another point, expected at most 100000")
    }
}
