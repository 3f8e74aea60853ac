import FuzzKit
import PointCloud

/// Any layout and any data as a `sensor_msgs/PointCloud2`: every point that is read has a place and there are as many as
/// promised, and what does not fit is reported in one line.
@main enum FuzzPointCloud2: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        guard bytes.count >= 23 else { return }
        func word(_ at: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
        }
        let layout = PointCloud2Layout(
            fields: ["x", "y", "z"].enumerated().map { index, name in
                .init(name: name, offset: UInt32(bytes[2 * index]), datatype: bytes[2 * index + 1])
            }, pointStep: word(6), rowStep: word(10), isBigEndian: bytes[14] & 1 == 1, width: word(15), height: word(19)
        )
        let reading: CloudReading
        do throws(PointCloudError) {
            reading = try PointCloud2Decoder.decode(
                layout, data: Array(bytes[23...]), source: "/fuzz", limits: CloudLimits(points: 1 << 20))
        } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            return
        }
        precondition(
            reading.cloud.count + reading.droppedPoints == Int(layout.width) * Int(layout.height), "points were lost")
        precondition(reading.cloud.offsets.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }, "nowhere")
    }
}
