import Geodesy
import RouteFiles
import Testing
import Trajectories

/// Missions as text, as Mission Planner writes them.
@Suite struct MissionTextTests {
    static let mission = """
        QGC WPL 110
        0\t1\t0\t16\t0\t0\t0\t0\t50.0770000\t14.4180000\t245.300000\t1
        1\t0\t3\t22\t0\t0\t0\t0\t0\t0\t10.000000\t1
        2\t0\t3\t16\t2.5\t0\t0\t0\t50.0771000\t14.4181000\t12.000000\t1
        3\t0\t0\t16\t0\t0\t0\t90\t50.0772000\t14.4182000\t260.5\t1
        4\t0\t10\t16\t0\t0\t0\tNaN\t-50.0772000\t14.4183000\t5\t1
        5\t0\t3\t20\t0\t0\t0\t0\t0\t0\t0\t1

        """

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `waypoints are read with their altitudes and holds`(end: String) throws {
        let found = try read(Self.mission.replacing("\n", with: end), name: "field.waypoints")
        #expect(
            found.route.points == [
                RoutePoint(
                    place: RouteSamples.place(50.0771, 14.4181), altitude: .init(metres: 12, reference: .home),
                    holdSeconds: 2.5),
                RoutePoint(
                    place: RouteSamples.place(50.0772, 14.4182),
                    altitude: .init(metres: 260.5, reference: .meanSeaLevel),
                    heading: .fixed(radians: 0)),
                RoutePoint(
                    place: RouteSamples.place(-50.0772, 14.4183), altitude: .init(metres: 5, reference: .ground)),
            ])
        #expect(
            found.notes == [
                "the first item is taken as the home position, and left out",
                "the take-off is left out: take off first",
                "the return to launch is left out: the planned home is 11149166 m away from the last point, where the"
                    + " trajectory ends",
            ])
    }

    @Test(arguments: [
        ("QGC WPL 120\n", "line 1: found 'QGC WPL 120', expected QGC WPL 110; open the mission in Mission"),
        ("QGC WPL 110\n", "the file has no points"),
        ("QGC WPL 110\n1\t0\t3\t16\t0\t0\t0\t0\t50\t14\t10\n", "line 2: found 11 values, expected 12"),
        (
            "QGC WPL 110\n1\t0\t3\t16\t0\t0\t0\t0\t50,1\t14\t10\t1\n",
            "line 2: found '50,1', expected a number with a decimal point"
        ),
        ("QGC WPL 110\n\n1\t0\t3\t16\t0\t0\t0\t0\t95\t14\t10\t1\n", "line 3, column 1: found latitude 95.0"),
        ("QGC WPL 110\n1\t0\t7\t16\t0\t0\t0\t0\t50\t14\t10\t1\n", "line 2, column 1: found 7, expected frame 0"),
        ("QGC WPL 110\n1\t0\t3\t16\t0\t0\t0\t0\tnan\t14\t10\t1\n", "found an item without latitude and longitude"),
    ])
    func `errors name file and line`(text: String, expected: String) {
        let said = problem(text, name: "a.waypoints")
        #expect(said.hasPrefix("a.waypoints"))
        #expect(said.contains(expected), "\(said)")
    }

    @Test(arguments: [
        ("16", "a.waypoints, line 4: found another point, expected at most 2"),
        ("206", "a.waypoints, line 10: found another item, expected at most 8"),
    ])
    func `reading stops at the limit`(command: String, expected: String) {
        let line = "1\t0\t3\t\(command)\t0\t0\t0\t0\t50\t14\t10\t1\n"
        let text = "QGC WPL 110\n" + String(repeating: line, count: 9) + "wrong\n"
        let error = #expect(throws: RouteFileError.self) {
            try RouteFiles.read(Array(text.utf8), name: "a.waypoints", maximumPoints: 2)
        }
        #expect(error?.description == expected)
    }
}
