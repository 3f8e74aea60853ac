import PointCloud
import Testing
import UAVLink

@Suite struct PointCloud2DecoderTests {
    static let points = [Vector3(x: 1, y: 2.5, z: -3), Vector3(x: 4, y: 5, z: 6)]

    private static func layout(
        _ names: String = "xyz", datatype: UInt8 = 7, step: UInt32 = 12, row: UInt32 = 24, isBigEndian: Bool = false,
        width: UInt32 = 2, height: UInt32 = 1
    ) -> PointCloud2Layout {
        let size: UInt32 = datatype == 8 ? 8 : 4
        return PointCloud2Layout(
            fields: names.enumerated().map {
                .init(name: String($0.element), offset: UInt32($0.offset) * size, datatype: datatype)
            }, pointStep: step, rowStep: row, isBigEndian: isBigEndian, width: width, height: height)
    }

    private func decode(_ layout: PointCloud2Layout, _ data: [UInt8]) throws(PointCloudError) -> PointCloud {
        try PointCloud2Decoder.decode(layout, data: data, source: "/map").cloud
    }

    private func error(_ layout: PointCloud2Layout, _ data: [UInt8] = [UInt8](repeating: 0, count: 24)) -> String {
        do throws(PointCloudError) {
            _ = try decode(layout, data)
            return ""
        } catch { return error.description }
    }

    @Test func `floats are read in any order of fields, of either endianness, in rows with padding`() throws {
        let data = Fixture.floats(1, 2.5, -3, 4, 5, 6)
        #expect(try decode(Self.layout(), data).points == Self.points)
        #expect(try decode(Self.layout(row: 0), data).points == Self.points)
        #expect(try decode(Self.layout("zyx"), Fixture.floats(-3, 2.5, 1, 6, 5, 4)).points == Self.points)
        let big = [1, 2.5, -3, 4, 5, 6].flatMap { (value: Float) in Fixture.bytes([value.bitPattern.bigEndian]) }
        #expect(try decode(Self.layout(isBigEndian: true), big).points == Self.points)
        let rows = Fixture.floats(1, 2.5, -3, 9) + Fixture.floats(4, 5, 6, 9)
        #expect(try decode(Self.layout(row: 16, width: 1, height: 2), rows).points == Self.points)
        let steps = Fixture.floats(1, 2.5, -3, 9) + Fixture.floats(4, 5, 6, 9)
        #expect(try decode(Self.layout(step: 16, row: 32), steps).points == Self.points)
    }

    @Test func `double precision keeps its millimetres, and points without a place are left out`() throws {
        let data = Fixture.bytes([458357.123, 5547288.987, 212.001, .nan, 0, 0])
        let reading = try PointCloud2Decoder.decode(
            Self.layout(datatype: 8, step: 24, row: 48), data: data, source: "/map")
        #expect(reading.droppedPoints == 1)
        #expect((reading.cloud.point(0) - Vector3(x: 458357.123, y: 5547288.987, z: 212.001)).length < 1e-4)
    }

    @Test func `an empty cloud is read`() throws {
        #expect(try decode(Self.layout(row: 0, width: 0, height: 0), []).count == 0)
        #expect(try decode(Self.layout(row: 0, width: 0), []).count == 0)
    }

    @Test func `what does not fit is reported by its field`() {
        #expect(error(Self.layout("xyt")) == "/map: has no field 'z'")
        #expect(error(Self.layout(datatype: 9)) == "/map: field 'x' has datatype 9; expected 1 to 8")
        #expect(error(Self.layout(step: 11)) == "/map: field 'z' at byte 8 lies outside a point of 11 bytes")
        #expect(error(Self.layout(row: 12, height: 2)) == "/map: row_step is 12; 2 points of 12 bytes need 24")
        #expect(error(Self.layout(width: 3)) == "/map: data has 24 bytes; 3 points need 36")
        #expect(error(Self.layout(height: 2)) == "/map: data has 24 bytes; 4 points need 48")
        #expect(error(Self.layout(width: .max, height: .max)).contains("points; the limit is 50000000"))
        #expect(error(Self.layout(step: .max, row: .max, width: 50_000_000)).contains("points need"))
        var listed = Self.layout()
        listed.fields[1].count = 2
        #expect(error(listed) == "/map: field 'y' has 2 values; expected 1")
        listed.fields[1] = .init(name: "y", offset: .max, datatype: 7)
        #expect(error(listed).contains("lies outside a point"))
    }
}
