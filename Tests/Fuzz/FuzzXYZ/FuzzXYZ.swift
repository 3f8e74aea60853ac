import FuzzKit
import PointCloud
import UAVLink

/// Any bytes as a XYZ file: every point that is read has a place, and what is wrong is reported in one line.
@main enum FuzzXYZ: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let reading: CloudReading
        do throws(PointCloudError) {
            reading = try CloudReader.read(bytes, source: "fuzz.xyz", limits: CloudLimits(points: 1 << 20))
        } catch {
            precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            return
        }
        precondition(reading.cloud.offsets.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }, "nowhere")
        precondition(reading.cloud.origin.isFinite, "an origin nowhere")
    }
}
