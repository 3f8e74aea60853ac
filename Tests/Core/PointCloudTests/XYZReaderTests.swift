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
        ("y x z\n1 2 3\n", "a.pcd, line 1: expected a number, found 'y'"),
        ("3\n1 2 3\n4 5 6\n", "a.pcd, line 1: declares 3 points; the file has 2"),
        ("1\n1 2 3\n4 5 6\n", "a.pcd, line 1: declares 1 points; the file has 2"),
        ("x y z\n", "a.pcd: has no points"), ("\u{0}\u{1}\u{2}", "a.pcd, line 1: expected a number, found '␀␁␂'"),
        ("<html>\n", "a.pcd, line 1: expected a number, found '<html>'"),
    ])
    func `each names the place`(_ text: String, _ expected: String) {
        #expect(Fixture.error(text) == expected)
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
