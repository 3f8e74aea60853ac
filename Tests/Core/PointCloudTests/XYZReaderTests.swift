import PointCloud
import Testing
import UAVLink

@Suite struct XYZReaderTests {
    static let points = [Vector3(x: 1, y: 2.5, z: -3), Vector3(x: 400, y: 5, z: 6)]

    @Test(arguments: [
        "1 2.5 -3\n4e2 5 6\n", "1,2.5,-3\n4e+2,5,6", "1;2.5;-3\r\n400;5;6\r\n", "1\t2.5 , -3\n\n+400 5 6.0 0.5 red\n",
        "# a comment\n// another\nx y z\n1 2.5 -3\n400 5 6\n", "X,Y,Z,Intensity\n1,2.5,-3,9\n400,5,6,9\n",
        "2\n1 2.5 -3 0 0 0 0\n400 5 6 0 0 0 0\n", "//X Y Z\n 1 2.5 -3\n400 5 6", "x_m;y_m;z_m\n1;2.5;-3\n4.00E02;5;6\n",
    ])
    func `text is read however it is separated, with comments, a heading or a count`(_ text: String) throws {
        let reading = try CloudReader.read(Array(text.utf8), source: "a.xyz")
        #expect(reading.format == .xyz)
        #expect(reading.cloud.points == Self.points)
    }

    @Test(arguments: [
        ("1 2\n", "a.pcd, line 1: expected a number, found nothing"),
        ("1,,2,3\n", "a.pcd, line 1: expected a number, found nothing"),
        ("1 2 3\nx y z\n", "a.pcd, line 2: expected a number, found 'x'"),
        ("a b c\n1 2 3\n", "a.pcd, line 1: expected a number, found 'a'"),
        ("3\n1 2 3\n4 5 6\n", "a.pcd, line 1: declares 3 points; the file has 2"),
        ("1\n1 2 3\n4 5 6\n", "a.pcd, line 1: declares 1 points; the file has 2"),
        ("x y z\n", "a.pcd: has no points"),
        ("\u{0}\u{1}\u{2}", "a.pcd: is a binary file of an unknown kind; expected PCD, PLY or XYZ"),
        (
            "1 2 3\n1 2 abcdefghijklmnopqrstuvwxyz\n",
            "a.pcd, line 2: expected a number, found 'abcdefghijklmnopqrst...'"
        ),
        ("<html>\n", "a.pcd, line 1: expected a number, found '<html>'"),
    ])
    func `each names the place`(_ text: String, _ expected: String) {
        #expect(Fixture.error(text) == expected)
    }

    @Test(arguments: [
        "z y x\n-3 2.5 1\n6 5 400\n", "intensity,x,y,z\n9,1,2.5,-3\n9,400,5,6\n",
        "\"name\";\"Z\";\"Y\";\"X\"\na;-3;2.5;1\n;6;5;400\n",
        "label,X [m],Y [m],Z [m]\n\"a, b\",1,2.5,-3\nc,400,5,6\n", "x\ty\ttime\tz\n1\t2.5\tnow\t-3\n400\t5\t\t6\n",
        "i;x;y;z\n9;1,0;2,5;-3,0\n9;400,0;5,0;6,0\n", "nx ny nz x y z\n0 0 1 1 2.5 -3\n0 0 1 400 5 6\n",
        "\"Points:0\",\"Points:1\",\"Points:2\",\"intensity\"\n1,2.5,-3,9\n400,5,6,9\n",
        "intensity,Points_m_XYZ:0,Points_m_XYZ:1,Points_m_XYZ:2,laser_id\n9,1,2.5,-3,0\n9,400,5,6,1\n",
        "Easting;Northing;Elevation\n1;2.5;-3\n400;5;6\n", "northing,easting,height_m\n2.5,1,-3\n5,400,6\n",
        "Id;Easting [m];Northing [m];Z;Elevation\n1;1;2.5;-3;7\n2;400;5;6;7\n",
        "Points_0,Points_1,Points_2,Points_Magnitude\n1,2.5,-3,4\n400,5,6,400\n",
    ])
    func `columns are known by their names`(_ text: String) throws {
        #expect(try Fixture.read(text).points == Self.points)
    }

    @Test(arguments: [
        "\u{FEFF}1 2.5 -3\n400 5 6\n", "\u{FEFF}x,y,z\n1,2.5,-3\n400,5,6\n",
        "\"1\",\"2.5\",\"-3\"\n\"400\",\"5\",\"6\"\n",
        "\"x\",\"y\",\"z\"\n1,2.5,-3\n400,5,6\n", "\"1,0\",\"2,5\",\"-3,0\"\n\"400,0\",\"5,0\",\"6,0\"\n",
        "1 2.5 -3 \"a b\"\n400 5 6 \"c\"\n", "1;2.5;-3;\"a;b\"\n400;5;6;\n",
    ])
    func `a byte order mark and quotes are understood`(_ text: String) throws {
        #expect(try Fixture.read(text).points == Self.points)
    }

    @Test(arguments: [
        ("i,x,y,z\n1,2,3\n", "a.pcd, line 2: found 3 values; expected 4"),
        ("i,x,y,z\n9,1,5,2,5,3,5\n", "a.pcd, line 2: found 7 values; expected 4"),
        ("i,x,y,z\n1,2,up,3\n", "a.pcd, line 2: expected a number, found 'up'"),
        ("x_mm,y_mm,z_mm\n1,2,3\n", "a.pcd, line 1: found the column 'x_mm'; expected coordinates in metres"),
        (
            "\"1,5\",\"2\",\"3\"\n",
            "a.pcd, line 1: found '\"1,5\",\"2\",\"3\"'; expected x, y and z all with decimal points or"
        ),
        ("1,5,2,5,3,5,\"a\"\n", "line 1: found '1,5,2,5,3,5,\"a\"', and no decimal point in the file"),
        ("\"1\"\n", "a.pcd, line 1: found 1 values; expected 3"),
    ])
    func `columns and quotes that do not fit are refused`(_ text: String, _ expected: String) {
        let error = Fixture.error(text)
        #expect(error.contains(expected), "\(error)")
    }

    /// Commas and quotes are looked for in blocks of 4096 bytes.
    @Test(arguments: [6...46, 4076...4116, 8172...8212])
    func `a comma and a quote are found wherever they stand in the file`(_ places: ClosedRange<Int>) throws {
        for place in places {
            let count = place / 6
            let before = String(repeating: "1 2 3\n", count: count) + String(repeating: " ", count: place % 6)
            #expect(
                Fixture.error(before + "1,5;2,5;3,5\n")
                    == "a.pcd, line \(count + 1): found '1,5;2,5;3,5', but line 1 has no decimal commas")
            let points = try Fixture.read(before + "\"4\",\"5\",\"6\"\n7 8 9 'a, b'\n1 2 3\n").points
            #expect(points.count == count + 3)
            #expect(points.suffix(3).map(\.x) == [4, 7, 1] && points.suffix(3).map(\.z) == [6, 9, 3], "\(place)")
        }
    }

    @Test func `numbers are rounded as the standard library rounds them`() throws {
        var random = SystemRandomNumberGenerator()
        let fixed = [
            "0.1", "123456789012345678", "9007199254740993", "1e-22", "4.35e22", "12345.678901234567890123", ".5", "5.",
            "-0.0", "+1e-3", "0000000000000000000000001", "1e-7",
        ]
        let drawn = (0..<500).map { _ in "\(Double.random(in: -1e6...1e6, using: &random))" }
        for text in fixed + drawn {
            let value = try #require(Double(text))
            let cloud = try Fixture.read("\(text) 0 0\n")
            guard abs(value) <= CloudLimits.largestCoordinateMetres else { continue }
            let expected =
                abs(value) < 1024 ? Double(Float(value)) : value.rounded() + Double(Float(value - value.rounded()))
            #expect(cloud.point(0).x == expected, "\(text)")
        }
    }
}
