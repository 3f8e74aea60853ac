import Geodesy
import RouteFiles
import Testing
import Trajectories
import UAVLink

@Suite struct TableTests {
    @Test(arguments: [
        "1,2,3,0.5\n4,5,6,-1", "1, 2, 3, 0.5\r\n4, 5, 6, -1\r\n", "1 2  3 0.5\n4 5 6 -1", "1;2;3;0.5\n4;5;6;-1",
        "1\t2\t3\t0.5\n\n4\t5\t6\t-1",
    ])
    func `four numbers a line, between whatever`(text: String) throws {
        let found = try read(text, name: "a.txt")
        #expect(found.route.points.map(\.heading) == [.fixed(radians: 0.5), .fixed(radians: -1)])
        #expect(found.route.points[1].place == .local(xMetres: 4, yMetres: 5, frame: .current))
        #expect(found.route.points[1].altitude == .init(metres: 6, reference: .frame(.current)))
        #expect(found.notes.contains { $0.contains("names no frame") })
    }

    @Test(arguments: [
        "1,5;2;3\n2;3;4\n-1;2,5;3\n", "x;y;z\n1,5;2;3\n2;3;4\n-1 ; 2,5 ; 3\n",
        "name;x;y;z;note\na;1,5;2;3;1.5\na;2;3;4;2,5\na;-1;2,5;3;x\n",
    ])
    func `decimal commas are read between semicolons, whole numbers among them`(text: String) throws {
        let places = try read(text, name: "a.csv").route.points.map(\.place)
        let expected = [(1.5, 2), (2, 3), (-1, 2.5)] as [(Double, Double)]
        #expect(places == expected.map { RoutePoint.Place.local(xMetres: $0.0, yMetres: $0.1, frame: .current) })
        let globe = "lat;lon;altitude_amsl;hold;heading_towards;speed\n50,25;14,5;300,5;1,5;50,14;0,5\n"
        let found = try read(globe, name: "a.csv")
        #expect(found.route.points[0].place == RouteSamples.place(50.25, 14.5))
        #expect(found.route.points[0].altitude?.metres == 300.5 && found.route.points[0].holdSeconds == 1.5)
        #expect(found.route.points[0].heading == .towards(RouteSamples.place(50, 14)))
        #expect(found.speeds.map(\.metresPerSecond) == [0.5])
    }

    @Test(arguments: [
        ("1,234;567;12\n", true), ("x;y;z\n-1,234;567;2,000\n", true), ("1,234;567;12\n0,125;1;1\n", false),
        ("1,234;1567;12\n", false), ("1,234;567;1,5\n", false), ("1234,567;1;1\n", false), ("1;2;3\n", false),
    ])
    func `commas that may separate thousands are named`(text: String, isNamed: Bool) throws {
        let notes = try read(text, name: "a.csv").notes
        #expect(notes.contains { $0.contains("not as separators of thousands") } == isNamed, "\(notes)")
    }

    @Test func `comments say frame and units`() throws {
        let found = try read(
            "# a survey\n# frame: uav1/local_origin, heading: deg, units: m\nx,y,z,heading\n1,2,3,90\n", name: "a.csv")
        let frame = FrameName("uav1/local_origin")
        #expect(found.route.points[0].place == .local(xMetres: 1, yMetres: 2, frame: frame))
        #expect(found.route.points[0].heading == .fixed(radians: .pi / 2))
        #expect(found.notes.isEmpty)
    }

    @Test(arguments: [
        ("1,2,3,90\n4,5,6,180\n", true), ("x,y,z,heading\n1,2,3,-90\n", true), ("1,2,3,6.9\n", false),
        ("x,y,z,heading_deg\n1,2,3,90\n", false), ("# heading: deg\n1,2,3,90\n", false),
        // Who says radians is believed: the doubt fails the check, and has no other way out.
        ("# heading: rad\n1,2,3,90\n", false),
    ])
    func `headings that mean degrees are doubted where they are read as radians`(text: String, isDoubted: Bool) throws {
        let notes = try read(text, name: "a.csv").notes
        let doubt = "headings of more than 7 rad: are they degrees? write '# heading: deg', or '# heading: rad'"
        #expect(notes.count { $0 == doubt } == (isDoubted ? 1 : 0), "\(notes)")
    }

    @Test func `columns are known by their names`() throws {
        let found = try read(
            "name,Longitude,Latitude,alt_amsl,heading_deg,gimbal_pitch_deg,hold,note\n\"a, \"\"b\"\"\",14,50,300,0,-90,2,x\n",
            name: "a.csv")
        let point = found.route.points[0]
        #expect(point.place == RouteSamples.place(50, 14))
        #expect(point.altitude == .init(metres: 300, reference: .meanSeaLevel))
        #expect(point.heading == .fixed(radians: 0))
        #expect(point.cameraPitchRadians == -.pi / 2)
        #expect(point.holdSeconds == 2)
        #expect(point.name == "a, \"b\"")
        #expect(found.notes == ["column 'note' is left out", ReadRoute.compassNote])
        let radians = try read("x,y,gimbal_pitch_rad\n1,2,-1.5\n", name: "a.csv")
        #expect(radians.route.points[0].cameraPitchRadians == -1.5)
    }

    @Test(arguments: [
        ("x_ned,y_ned,z\n1,2,3\n", "'x_ned', 'y_ned'"), ("x_ftus,y,z\n1,2,3\n", "'x_ftus'"),
        ("latitude_deg,lon_e7\n47,80000000\n", "'lon_e7'"), ("x,Y_local,latitude\n1,2,47\n", "'Y_local'"),
    ])
    func `a coordinate of unknown unit or direction is named`(text: String, columns: String) {
        let said = problem(text, name: "a.csv")
        #expect(said.contains("latitude and longitude; \(columns): unit or direction not known"), "\(said)")
    }

    @Test(arguments: [
        "x_m,y_m,z_m\n1,2,3\n", "x [m],y [m],z [m]\n1,2,3\n", "Easting,Northing (metres),z_enu\n1,2,3\n",
        // Half of a place on Earth beside a place in metres.
        "latitude,x_enu_m,lon_e7,y_enu_m,z\n47,1,80000000,2,3\n",
    ])
    func `coordinates in metres may say so`(text: String) throws {
        let point = try read(text, name: "a.csv").route.points[0]
        #expect(point.place == .local(xMetres: 1, yMetres: 2, frame: .current))
        #expect(point.altitude == .init(metres: 3, reference: .frame(.current)))
    }

    @Test(arguments: ["lat_deg,lon_deg", "Latitude [°],Longitude [°]", "lat_wgs84,lon_wgs84", "x,lat,lon"])
    func `coordinates in degrees may say so`(header: String) throws {
        let cells = header.hasPrefix("x") ? "9,50,14" : "50,14"
        #expect(try read("\(header)\n\(cells)\n", name: "a.csv").route.points[0].place == RouteSamples.place(50, 14))
    }

    @Test(arguments: ["z_down", "z_ned", "z_agl", "z_relative", "camera_pitch", "gimbal_pitch"])
    func `a height or a camera pitch of unknown unit or direction is an omission`(column: String) throws {
        let found = try read("x,y,\(column)\n1,2,-90\n", name: "a.csv")
        #expect(found.route.points[0].altitude == nil && found.route.points[0].cameraPitchRadians == nil)
        #expect(found.omissions == ["column '\(column)' is left out, and the route is flown without it"])
    }

    @Test func `an altitude that counts from nothing is left out aloud`() throws {
        let found = try read("lat,lon,alt\n50,14,300\n", name: "a.csv")
        #expect(found.route.points[0].altitude == nil)
        #expect(found.notes.contains { $0.contains("their reference is not given") })
        let said = try read("# altitude: home\nlat,lon,alt\n50,14,300\n", name: "a.csv")
        #expect(said.route.points[0].altitude == .init(metres: 300, reference: .home))
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `CR, LF and CRLF end a line, and errors count the lines`(end: String) throws {
        let lines = "# frame: local_origin\n\nx,y,z\n1,2,3\n4,5,6\n"
        #expect(try read(lines.replacing("\n", with: end), name: "a.csv") == read(lines, name: "a.csv"))
        #expect(try read(lines.replacing("\n", with: end), name: "a.csv").route.points.count == 2)
        let wrong = problem(lines.replacing("5", with: "up").replacing("\n", with: end), name: "a.csv")
        #expect(wrong.contains("line 5: y: found 'up'"), "\(wrong)")
    }

    @Test(arguments: [
        ("1,5,2,5\n-3,25,4,0\n", true), ("1,5,2,5.0\n", false), ("1,2,3,0\n4,5,6,0\n", false), ("1,2,3,-1\n", false),
        ("1,-2,3,1\n", false), ("1;2;3;1\n", false), ("x,y,z,heading\n1,2,3,1\n", false), ("1,2,3\n", false),
    ])
    func `whole numbers that may be halves of numbers with decimal commas are named`(text: String, isNamed: Bool) throws
    {
        let notes = try read(text, name: "a.csv").notes
        #expect(notes.contains { $0.contains("not as decimal commas") } == isNamed)
    }

    @Test func `x and y alone have no altitude`() throws {
        #expect(try read("1,2\n3,4\n", name: "a.csv").route.points.map(\.altitude) == [nil, nil])
    }

    @Test(arguments: [
        ("1,2,3,4\n1,2,3", "line 2: found 3 columns, expected 4 as in the first row"),
        ("1\n", "line 1: found 1 columns"),
        ("1,2,3,4,5\n", "line 1: found 5 columns without a header"),
        ("1,2,x,4\n", "line 1: z: found 'x', expected a number"),
        ("1,2,nan,4\n", "line 1: z: found 'nan'"), ("1,0x2,3,4\n", "line 1: y: found '0x2'"),
        ("1,2,3,1e999\n", "line 1: heading: found '1e999'"), ("a,b\n", "line 1: found 'a,b', expected columns x and y"),
        ("hello world\n", "line 1: found 'hello world', expected"), ("a ;b\n", "line 1: found 'a ;b', expected"),
        ("x,y\n1,\n", "line 2: found an empty cell"), ("# frame: a b\n1,2\n", "line 1: frame: found 'a b'"),
        ("# heading: gon\n", "line 1: heading: found 'gon', expected rad or deg"),
        ("# altitude: sea\n", "line 1: altitude: found 'sea'"),
        ("# units: ft\n", "line 1: units: found 'ft', expected m"),
        ("lat,lon\n95,1\n", "line 2: found latitude 95.0"),
        ("1\t2,5\n", "line 1: y: found '2,5', expected a number with a decimal point"),
        ("1;2,5,5\n", "line 1: y: found '2,5,5', expected a number with a decimal point"),
        ("1;2.5\n1,5;2\n", "line 2: found '1,5', but line 1 has a decimal point; expected one or the other"),
        ("1,5;2\n1;2.5\n", "line 2: found '2.5', but line 1 has a decimal comma; expected one or the other"),
        ("\u{0}\u{1}", "is a binary file of an unknown kind; expected .geojson, .kml"),
        (String(repeating: "1,2\n", count: 2000) + "\u{1}", "line 2001: found control characters"),
        ("# only this\n", "the file has no points"),
    ])
    func `errors name file, line and column`(text: String, expected: String) {
        let said = problem(text, name: "a.csv")
        #expect(said.hasPrefix("a.csv"))
        #expect(said.contains(expected), "\(said)")
    }

    @Test func `long lines and many columns are refused`() {
        #expect(problem(String(repeating: "1,", count: 65) + "1", name: "a.csv").contains("at most 64"))
        #expect(problem(String(repeating: "1", count: 70_000), name: "a.csv").contains("at most 65536"))
    }

    @Test func `the loader's settings are read, and what is wrong is named`() throws {
        let lines = Array("1, 2, 3, 0\n2, 2, 3, 0\n".utf8)
        func load(_ settings: String) throws -> Trajectory {
            try TrajectoryFile.read(lines, name: "a.txt", settings: Array(settings.utf8), settingsName: "a.yaml")
        }
        let found = try load(
            "trajectory:\n  frame_id: local_origin\n  dt: 0.1\n  loop: true\n  offset: [10, 0, 1, 0.5]\n")
        #expect(found.frame == .localOrigin)
        #expect(found.timeStepSeconds == 0.1)
        #expect(found.loops && !found.fliesNow && !found.usesHeading)
        #expect(found.points[1] == .init(position: Vector3(x: 12, y: 2, z: 4), headingRadians: 0.5))
        #expect(try load("dt: 0.2\n").frame == .current)
        for (settings, expected) in [
            ("dt: 0\n", "a.yaml, line 1, column 5: found '0', expected a time between samples of at least 0.01 s"),
            ("loop: true\n", "the key 'dt' is missing"), ("dt: 1\noffset: [1]\n", "expected x, y, z and heading"),
            ("dt: 1\nframe_id: a b\n", "expected a frame such as local_origin"),
            ("dt: 1\nloop: maybe\n", "expected true or false"),
        ] {
            do {
                Issue.record("read \(try load(settings))")
            } catch { #expect("\(error)".contains(expected), "\(error)") }
        }
    }
}
