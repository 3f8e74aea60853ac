import PointCloud
import Testing
import UAVLink

@Suite struct PTXReaderTests {
    /// A scan of two by one directions; the scanner is turned to the left by 90 degrees, and stands at 10, 20, 1.5.
    private static func scan(_ points: String, columns: Int = 2) -> String {
        "\(columns)\n1\n10 20 1.5\n0 1 0\n-1 0 0\n0 0 1\n0 1 0 0\n-1 0 0 0\n0 0 1 0\n10 20 1.5 1\n" + points
    }

    @Test func `points are turned and moved to their places`() throws {
        let cloud = try Fixture.read(Self.scan("1 2 3 0.5\n4 5 6 0.25 255 0 0\n"))
        #expect(cloud.points == [Vector3(x: 8, y: 21, z: 4.5), Vector3(x: 5, y: 24, z: 7.5)])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `scans follow each other, and empty directions are dropped`(_ end: String) throws {
        let text = Self.scan("0 0 0 0.5\n1 2 3 0.5\n") + Self.scan("1 0 0 0\n", columns: 1)
        let reading = try CloudReader.read(Array(text.replacing("\n", with: end).utf8), source: "a.ptx")
        #expect(reading.format == .ptx)
        #expect(reading.droppedPoints == 1)
        #expect(reading.cloud.points == [Vector3(x: 8, y: 21, z: 4.5), Vector3(x: 10, y: 21, z: 1.5)])
    }

    @Test(arguments: [
        (scan("1 2 3 0.5\n"), "a.pcd: ends within a scan of a PTX file"),
        (scan("1 2 3 0.5\n4 up 6 0.5\n"), "a.pcd, line 12: expected a number, found 'up'"),
        (scan("", columns: 0), "a.pcd: has no points"),
        ("2\n1\n10 20 1.5\n", "a.pcd: ends within a scan of a PTX file"),
        (scan("1 2 3 0.5\n4 5 6 0.5\n7 8 9 0.5\n"), "a.pcd, line 13: expected a size of a scan of a PTX file"),
        ("50000001\n1\n1 2 3\n", "a.pcd, line 2: more than the limit of 50000000 points"),
        ("9223372036854775807\n3\n1 2 3\n", "a.pcd, line 2: more than the limit of 50000000 points"),
    ])
    func `each error names the place`(_ text: String, _ expected: String) {
        #expect(Fixture.error(text) == expected)
    }

    @Test func `a list of points with their number is none`() throws {
        #expect(try CloudReader.read(Array("1\n1 2 3\n".utf8), source: "a").format == .xyz)
        #expect(Fixture.error("1\n2\n1 2\n").contains("line 2: expected a number"))
    }
}
