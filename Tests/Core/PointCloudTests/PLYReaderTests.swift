import PointCloud
import Testing
import UAVLink

@Suite struct PLYReaderTests {
    static let points = [Vector3(x: 1, y: 2.5, z: -3), Vector3(x: 4, y: 5, z: 6)]

    @Test func `text is read in any order of properties, past other elements, lists and faces`() throws {
        let text = """
            ply
            format ascii 1.0
            comment made by hand
            obj_info nothing
            element camera 2
            property float fov
            element vertex 2
            property uchar red
            property double z
            property list uchar int neighbours
            property float x
            property float y
            element face 1
            property list uchar int vertex_indices
            end_header
            90
            80
            255 -3 2 7 8 1 2.5
            0 6 0 4 5
            3 0 1 1

            """
        let reading = try CloudReader.read(Array(text.utf8), source: "a.ply")
        #expect(reading.format == .ply)
        #expect(reading.cloud.points == Self.points)
    }

    @Test(arguments: [false, true])
    func `binary of either order is read, with and without lists`(_ isBigEndian: Bool) throws {
        func bytes<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) -> [UInt8] {
            Fixture.bytes([isBigEndian ? value.bigEndian : value.littleEndian])
        }
        for hasList in [false, true] {
            var file = Array(
                """
                ply
                format binary_\(isBigEndian ? "big" : "little")_endian 1.0
                element camera 1
                property list ushort short views
                element vertex 2
                property double y
                property uchar red
                \(hasList ? "property list uchar ushort neighbours\n" : "")property float32 x
                property int16 z
                end_header

                """.utf8)
            file += bytes(UInt16(3)) + [1, 2, 3, 4, 5, 6]
            for point in Self.points {
                file += bytes(point.y.bitPattern) + [200]
                if hasList { file += [2, 0, 1, 0, 2] }
                file += bytes(Float(point.x).bitPattern) + bytes(Int16(point.z))
            }
            #expect(try Fixture.read(file).points == Self.points)
        }
    }

    static let head = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"

    @Test(arguments: [
        (
            "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty list uchar float y\nproperty float z\n"
                + "end_header\n", "line 3: element 'vertex' has no scalar property 'y'"
        ),
        ("ply\nformat ascii 1.0\nend_header\n", "a.pcd: has no element 'vertex'"),
        ("ply\nformat ascii 2.0\n", "a.pcd, line 2: version '2.0'; supported is 1.0"),
        ("ply\nformat binary 1.0\n", "line 2: 'format binary 1.0'; expected format ascii"),
        ("ply\nformat ascii 1.0\nformat ascii 1.0\n", "a.pcd, line 3: duplicate format"),
        (
            "ply\nelement vertex -1\n",
            "line 2: 'element vertex -1'; expected element, a name and a non-negative integer"
        ),
        ("ply\nelement vertex 99999999999999999999\n", "expected element, a name and a non-negative integer"),
        ("ply\nelement a 1\nelement a 1\n", "a.pcd, line 3: duplicate element 'a'"),
        ("ply\nproperty float x\n", "a.pcd, line 2: a property before the first element"),
        ("ply\nelement a 1\nproperty float x\nproperty int x\n", "line 4: duplicate property 'x'"),
        ("ply\nelement a 1\nproperty list int x\n", "line 3: 'property list int x'; expected property TYPE NAME"),
        ("ply\nelement a 1\nproperty half x\n", "line 3: type 'half'; expected char"),
        ("ply\nelement a 1\nproperty list float int x\n", "line 3: a list with the count type float"),
        ("ply\nvertices 3\n", "line 2: expected a PLY header keyword, found 'vertices'"),
        ("ply\nelement vertex 1\nend_header\n", "line 3: the header has no format line"),
        ("ply\nformat ascii 1.0\n", "a.pcd: ends before the end_header of the PLY header"),
        (head + "end_header\n1 2 3\n", "ends after 1 of 2 instances of element 'vertex'"),
        (head + "end_header\n1 2 3\n4 5\n", "a.pcd, line 9: expected a number, found nothing"),
        (head + "end_header\n1 2 3 4\n", "a.pcd, line 8: '4' after the values of a vertex"),
        (head + "end_header\nx 2 3\n", "a.pcd, line 8: expected a number, found 'x'"),
        (head + "property list char int n\nend_header\n1 2 3 -1\n", "line 9: property 'n' has -1.0 entries"),
        (head + "property list char int n\nend_header\n1 2 3 1e300\n", "line 9: property 'n' has 1e+300 entries"),
        (
            head.replacing("ascii", with: "binary_little_endian") + "end_header\n1 2 3\n",
            "ends after 0 of 2 instances of element"
        ),
        (
            head.replacing("vertex 2", with: "vertex 50000000").replacing("ascii", with: "binary_little_endian")
                + "end_header\n1 2 3\n", "ends after 0 of 50000000 instances of element"
        ),
        (
            head.replacing("vertex 2", with: "vertex 50000001") + "end_header\n",
            "50000001 points; the limit is 50000000"
        ),
        (
            "ply\nformat binary_little_endian 1.0\nelement a 9223372036854775807\nproperty double b\nelement vertex 1\n"
                + "property float x\nproperty float y\nproperty float z\nend_header\n", "ends after 0 of"
        ),
    ])
    func `each names the place`(_ text: String, _ expected: String) {
        let error = Fixture.error(text)
        #expect(error.contains(expected), "\(error)")
    }

    @Test func `elements without properties cost no time, however many there are`() {
        for format in ["ascii", "binary_little_endian"] {
            let text =
                "ply\nformat \(format) 1.0\nelement none 9223372036854775807\nelement vertex 1\n"
                + "property char x\nproperty char y\nproperty char z\nend_header\n"
            #expect(Fixture.error(Array(text.utf8) + Array("1 2 3\n".utf8)).isEmpty)
        }
    }
}
