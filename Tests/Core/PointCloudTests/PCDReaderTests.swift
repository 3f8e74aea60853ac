import PointCloud
import Testing
import UAVLink

@Suite struct PCDReaderTests {
    static let two = [Vector3(x: 1, y: 2.5, z: -3), Vector3(x: 4, y: 5, z: 6)]

    @Test(arguments: ["0.5", ".5", "0.6", ".6", "0.7", ".7"])
    func `text of each version is read`(_ version: String) throws {
        let cloud = try Fixture.read(
            Fixture.pcd(version: version, data: "ascii", body: Array("1 2.5 -3\n4 5 6\n".utf8)))
        #expect(cloud.points == Self.two)
        #expect(cloud.viewpoint == .zero)
    }

    @Test func `what the oldest files leave out has its usual value`() throws {
        let text = "VERSION .5\nCOLUMNS x y z\nPOINTS 2\nDATA ascii\n1 2.5 -3\n4 5 6"
        #expect(try Fixture.read(text).points == Self.two)
    }

    @Test(arguments: [
        "\u{FEFF}# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\n", "# .pcd v0.7\nversion 0.7\nfields x y z\n",
        "\u{FEFF}Version 0.7\nFields X Y Z\n", "fields x y z\nversion .7\n",
    ])
    func `a byte order mark, and keywords in any case, are understood`(_ start: String) throws {
        let text = start + "size 4 4 4\ntype f f f\nCount 1 1 1\nwidth 2\nheight 1\ndata ASCII\n1 2.5 -3\n4 5 6\n"
        let reading = try CloudReader.read(Array(text.utf8), source: "a.pcd")
        #expect(reading.format == .pcd && reading.cloud.points == Self.two)
    }

    @Test func `lines may end in two characters, and blank lines and comments stand anywhere`() throws {
        let text =
            "# a\r\n\r\nVERSION 0.7\r\n# b\r\nFIELDS x y z\r\nWIDTH 2\r\nDATA ascii\r\n1 2.5 -3\r\n\r\n4\t5 6\r\n\r\n"
        #expect(try Fixture.read(text).points == Self.two)
    }

    @Test func `binary points are read in any order of fields, past padding and lists`() throws {
        var body: [UInt8] = []
        for point in Self.two {
            body += Fixture.floats(Float(point.z)) + [9, 9, 9] + Fixture.bytes([point.x])
            body += Fixture.bytes([UInt16(1), 2]) + Fixture.bytes([Int16(point.y * 2)]) + [7]
        }
        let file = Fixture.pcd(
            fields: "z _ x list y _", size: "4 1 8 2 2 1", type: "F U F U I U", count: "1 3 1 2 1 1", data: "binary",
            body: body)
        #expect(try Fixture.read(file).points == [Vector3(x: 1, y: 5, z: -3), Vector3(x: 4, y: 10, z: 6)])
    }

    @Test(arguments: ["I 1", "I 2", "I 4", "I 8", "U 1", "U 2", "U 4", "U 8", "F 4", "F 8"])
    func `every type and size of number is read`(_ kind: String) throws {
        let (type, size) = (String(kind.prefix(1)), String(kind.suffix(1)))
        func number(_ value: Int) -> [UInt8] {
            switch kind {
            case "F 4": return Fixture.bytes([Float(value)])
            case "F 8": return Fixture.bytes([Double(value)])
            default: return Array(Fixture.bytes([Int64(value)]).prefix(Int(size) ?? 0))
            }
        }
        let isSigned = type != "U"
        let values = [1, 2, isSigned ? -3 : 3, 4, 5, 127]
        let file = Fixture.pcd(
            size: "\(size) \(size) \(size)", type: "\(type) \(type) \(type)", data: "binary",
            body: values.flatMap(number))
        let expected = values.map(Double.init)
        #expect(
            try Fixture.read(file).points == [
                Vector3(x: expected[0], y: expected[1], z: expected[2]),
                Vector3(x: expected[3], y: expected[4], z: expected[5]),
            ])
    }

    @Test func `points that are no place are left out and counted, also in an organised cloud`() throws {
        let file = Fixture.pcd(
            width: "2", height: "3", points: "6", data: "binary",
            body: Fixture.floats(.nan, 0, 0, 1, 2, 3, 0, .infinity, 0, 4, 5, 6, 3e38, 0, 0, 0, 0, -.nan))
        let reading = try CloudReader.read(file, source: "a.pcd")
        #expect(reading.cloud.points == [Vector3(x: 1, y: 2, z: 3), Vector3(x: 4, y: 5, z: 6)])
        #expect(reading.droppedPoints == 4)
        let text = Fixture.pcd(
            width: "3", points: "3", data: "ascii", body: Array("nan NaN -nan\n1 2 3\n1 inf 2\n".utf8))
        let fromText = try CloudReader.read(text, source: "a.pcd")
        #expect(fromText.cloud.points == [Vector3(x: 1, y: 2, z: 3)])
        #expect(fromText.droppedPoints == 2)
    }

    @Test func `UTM coordinates keep their millimetres`() throws {
        let text = Fixture.pcd(
            data: "ascii", body: Array("458357.123 5547288.987 212.001\n458361.5 5547290 213.25\n".utf8))
        let doubles = Fixture.pcd(
            size: "8 8 8", data: "binary",
            body: Fixture.bytes([458357.123, 5547288.987, 212.001, 458361.5, 5547290, 213.25]))
        for file in [text, doubles] {
            let cloud = try Fixture.read(file)
            #expect((cloud.point(0) - Vector3(x: 458357.123, y: 5547288.987, z: 212.001)).length < 1e-4)
            #expect((cloud.point(1) - Vector3(x: 458361.5, y: 5547290, z: 213.25)).length < 1e-4)
        }
    }

    @Test func `single precision is kept to the last bit, however large`() throws {
        let values: [Float] = [458357.125, 5547288.5, 212.001, 0.001, -7, 3]
        let cloud = try Fixture.read(Fixture.pcd(data: "binary", body: Fixture.bytes(values)))
        #expect(cloud.origin == .zero)
        #expect(cloud.offsets.flatMap { [$0.x, $0.y, $0.z] } == values)
    }

    @Test(arguments: [
        ("465702 5249482 400\n465703 5249483 401\n", false), ("900 0 0\n901 1 1\n", true),
        // A large map around the sensor.
        ("5000 0 0\n-5000 10 5\n", true), ("0 0 1001\n0 0 1002\n", false), ("-1500 0 0\n-1400 0 0\n", false),
    ])
    func `a viewpoint that was not filled in is none where it is too far away`(points: String, isKept: Bool) throws {
        let cloud = try Fixture.read(Fixture.pcd(viewpoint: "0 0 0 1 0 0 0", data: "ascii", body: Array(points.utf8)))
        #expect(cloud.viewpoint == (isKept ? .zero : nil))
        let given = try Fixture.read(Fixture.pcd(viewpoint: "0 0 1 1 0 0 0", data: "ascii", body: Array(points.utf8)))
        #expect(given.viewpoint == Vector3(x: 0, y: 0, z: 1))
    }

    @Test func `the viewpoint is kept`() throws {
        let file = Fixture.pcd(viewpoint: "1 -2 3.5 1 0 0 0", data: "ascii", body: Array("1 2 3\n4 5 6\n".utf8))
        #expect(try Fixture.read(file).viewpoint == Vector3(x: 1, y: -2, z: 3.5))
    }

    @Test func `compressed points are read field by field, with the padding that some writers pack`() throws {
        let fields = Fixture.floats(-3, 6) + Fixture.floats(1, 4) + Fixture.floats(2.5, 5)
        let padded = Fixture.floats(-3, 6) + [9, 9] + Fixture.floats(1, 4) + Fixture.floats(2.5, 5)
        for unpacked in [fields, padded] {
            // One literal run is valid LZF: a byte with the count less one, then the bytes.
            let packed = [UInt8(unpacked.count - 1)] + unpacked
            let file = Fixture.pcd(
                fields: "z _ x y", size: "4 1 4 4", type: "F U F F", count: "1 1 1 1", data: "binary_compressed",
                body: Fixture.bytes([UInt32(packed.count), UInt32(unpacked.count)]) + packed)
            #expect(try Fixture.read(file).points == Self.two)
        }
    }

    @Test func `what follows the binary points is none of ours`() throws {
        let body = Fixture.floats(1, 2.5, -3, 4, 5, 6) + [UInt8](repeating: 0, count: 100)
        #expect(try Fixture.read(Fixture.pcd(data: "binary", body: body)).points == Self.two)
    }

    @Test func `work that is not wanted any more ends`() throws {
        let count = 200_000
        let file = Fixture.pcd(
            width: "\(count)", points: "\(count)", data: "binary", body: [UInt8](repeating: 0, count: 12 * count))
        var code: PointCloudError.Code?
        do throws(PointCloudError) {
            _ = try CloudReader.read(file, source: "a.pcd", progress: CloudProgress { $0 < 0.5 })
        } catch { code = error.code }
        #expect(code == .cancelled)
    }
}
