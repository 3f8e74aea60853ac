import FuzzKit
import PointCloud
import UAVLink

/// Any bytes as a PCD file: every point that is read has a place and is there again when it is written and read, and
/// what is wrong is reported in one line.
@main enum FuzzPCD: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let reading: CloudReading
        do throws(PointCloudError) {
            reading = try CloudReader.read(bytes, source: "fuzz.pcd", limits: CloudLimits(points: 1 << 20))
        } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            return
        }
        precondition(reading.cloud.offsets.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }, "nowhere")
        precondition(reading.cloud.origin.isFinite, "an origin nowhere")
        for encoding in PCDWriter.Encoding.allCases { writeAndRead(reading.cloud, encoding) }
    }

    private static func writeAndRead(_ cloud: PointCloud, _ encoding: PCDWriter.Encoding) {
        do throws(PointCloudError) {
            let bytes = try PCDWriter.bytes(of: cloud, encoding: encoding)
            let again = try CloudReader.read(bytes, source: "again.pcd").cloud
            precondition(again.count == cloud.count, "\(cloud.count) points became \(again.count)")
            // Text and double precision are shifted to an origin that the first point chooses.
            let isExact = cloud.origin == .zero && encoding != .ascii
            precondition(!isExact || again.offsets == cloud.offsets, "other points")
        } catch { preconditionFailure("what was written cannot be read: \(error)") }
    }
}
