import PointCloud
import Testing
import UAVLink

/// Text as programs of other countries and systems write it: never another map than was meant.
@Suite struct TextDialectTests {
    static let points = [Vector3(x: 1.5, y: 2.5, z: -3.5), Vector3(x: 400.25, y: 5.5, z: 6.5)]
    static let pcd = "VERSION 0.7\nFIELDS x y z\nWIDTH 2\nDATA ascii\n1.5 2.5 -3.5\n400.25 5.5 6.5\n"
    static let ply =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
        + "1.5 2.5 -3.5\n400.25 5.5 6.5\n"

    @Test(arguments: [
        "1,5;2,5;-3,5\n400,25;5,5;6,5\n", "1,5 2,5 -3,5\n400,25 5,5 6,5\n", "1,5\t2,5\t-3,5\n4,0025e2\t5,5\t6,5\n",
        "x;y;z\n1,5;2,5;-3,5\n400,25;5,5;6,5;9\n", "2\n1,5 ; 2,5 ; -3,5 ; 0,5\n400,25;5,5;6,5;1\n",
    ])
    func `decimal commas are read where no comma separates`(_ text: String) throws {
        #expect(try Fixture.read(text).points == Self.points)
    }

    @Test(arguments: [
        "1,5;2;3\n2;3;4\n-1;2,5;3\n", "2;3;4;0,5\n1,5;2;3\n-1;2,5;3\n", "x;y;z\n1,5;2;3\n2;3;4\n-1 ; 2,5 ; 3\n",
        "i;x;y;z\n9;1,5;2;3\n9;2;3;4\n0,5;-1;2,5;3\n", "\"1,5\";\"2\";\"3\"\n2;3;4\n-1;2,5;3;\"a\"\n",
    ])
    func `whole numbers may be among decimal commas between semicolons`(_ text: String) throws {
        let points = try Fixture.read(text).points
        #expect(Set(points) == [Vector3(x: 1.5, y: 2, z: 3), Vector3(x: 2, y: 3, z: 4), Vector3(x: -1, y: 2.5, z: 3)])
    }

    @Test(arguments: [
        ("1,234;567;12\n", true), ("x;y;z\n-1,234;567;2,000\n", true), ("1,234;2,345;3,456\n", true),
        ("1,234;567;12\n0,125;1;1\n", false), ("1,234;1567;12\n", false), ("1,234;567;1,5\n", false),
        ("1234,567;1;1\n", false), ("1;2;3\n", false), ("1.5;2;3\n", false),
    ])
    func `commas that may separate thousands are named`(_ text: String, _ isNamed: Bool) throws {
        let notes = try CloudReader.read(Array(text.utf8), source: "a.xyz").notes
        #expect(notes.contains { $0.contains("not as separators of thousands") } == isNamed, "\(notes)")
    }

    @Test(arguments: [
        (
            "1,5 2 3\n",
            "line 1: found '1,5 2 3'; expected x, y and z with decimal points, or all three with decimal commas"
        ),
        ("1 2 3,5\n", "line 1: found '1 2 3,5'; expected"), ("1;2.5;3,5\n", "line 1: found '1;2.5;3,5'; expected"),
        ("1,5;2 3\n", "line 1: found '1,5;2 3'; expected"), ("1, 2,3\n", "line 1: found '1, 2,3'; expected"),
        ("1,234.5 2,345.6 7.0\n", "line 1: found '1,234.5 2,345.6 7.0'; expected"),
        ("1,234,567;2,345,678;3,4\n", "line 1: found '1,234,567;2,345,678;3,4'; expected"),
        ("1.5 2.5 3.5\n1,5 2,5 3,5\n", "line 2: found '1,5 2,5 3,5', but line 1 has no decimal commas"),
        ("1 2 3\n1,5;2;3\n", "line 2: found '1,5;2;3', but line 1 has no decimal commas"),
        ("1;2;3.5\n1,5;2;3\n", "line 2: found '1,5;2;3', but line 1 has no decimal commas"),
        ("1,5;2;3\n1;2.5;3\n", "line 2: the numbers have no decimal commas, those of line 1 have"),
        ("1,5 2,5 3,5\n1 2 3\n", "line 2: the numbers have no decimal commas, those of line 1 have"),
        ("1,5;2,5;x\n1,5;2,5;x,5\n", "line 1: expected a number, found 'x'"),
        ("1,5,2,5,3,5\n", "line 1: found '1,5,2,5,3,5', and no decimal point in the file: these may be decimal commas"),
        ("-1,-2,-3\n1,5,2,5,3\n", "line 2: found '1,5,2,5,3', and no decimal point"),
        ("x,y,z\n1,5,2,5,3,5\n", "line 2: 6 values between commas, the header has 3 columns"),
        (pcd.replacing("1.5", with: "1,5"), "line 5: expected a number with a decimal point, found '1,5'"),
        (ply.replacing("1.5", with: "1,5"), "line 8: expected a number with a decimal point, found '1,5'"),
    ])
    func `decimal commas are refused where they may be something else`(_ text: String, _ expected: String) {
        let error = Fixture.error(text)
        #expect(error.hasPrefix("a.pcd, "))
        #expect(error.contains(expected), "\(error)")
    }

    @Test(arguments: [
        "1,2,3\n4,5,6\n", "-1,-2,-3\n4,5,6\n", "1, 2, 3, 4\n", "x,y,z,i\n1,2,3,4\n", "1.5,2,3,255,0,0\n1,2,3,255,0,0\n",
        "1,2,3,255,0,0\n1.5,2,3,255,0,0\n", "1.5 2.5 3.5 a,b 1,2\n", "1.5,2.5,3.5,a label\n", "1,2,3 255 0 0\n",
        "nan;nan;nan\n1,5;2,5;3,5\nnan;nan;nan\n",
    ])
    func `commas that can only separate do so`(_ text: String) {
        #expect(Fixture.error(text).isEmpty)
    }

    @Test(arguments: [
        pcd, ply, "1.5 2.5 -3.5\n400.25 5.5 6.5\n", "# a comment\n\nx y z\n1.5 2.5 -3.5\n\n400.25 5.5 6.5",
    ])
    func `CR, LF and CRLF end a line, and errors count the lines`(_ text: String) throws {
        for end in ["\n", "\r", "\r\n"] {
            let ended = text.replacing("\n", with: end)
            #expect(try Fixture.read(ended).points == Self.points)
            #expect(
                Fixture.error(ended.replacing("5.5", with: "up")) == Fixture.error(text.replacing("5.5", with: "up")))
            #expect(Fixture.error(ended.replacing("5.5", with: "up")).contains("line "))
        }
    }

    @Test(arguments: ["ASCII", "Ascii"])
    func `the word after DATA may be in upper case`(word: String) throws {
        #expect(try Fixture.read(Self.pcd.replacing("DATA ascii", with: "DATA " + word)).points == Self.points)
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `bytes begin right after the end of the header's last line`(_ end: String) throws {
        // The first byte of x is a line feed.
        let x = Float(bitPattern: 0x3FC0_000A)
        let head = Fixture.pcd(width: "1", points: nil, data: "binary")
        let text = String(decoding: head, as: UTF8.self).replacing("\n", with: end)
        let cloud = try Fixture.read(Array(text.utf8) + Fixture.floats(x, 2, 3))
        #expect(cloud.points == [Vector3(x: Double(x), y: 2, z: 3)])
    }
}
