import PointCloud
import UAVLink

/// Small files of our own.
enum Fixture {
    static func pcd(
        version: String = "0.7", fields: String = "x y z", size: String? = "4 4 4", type: String? = "F F F",
        count: String? = "1 1 1", width: String = "2", height: String = "1", points: String? = "2",
        viewpoint: String? = "0 0 0 1 0 0 0", data: String, body: [UInt8] = []
    ) -> [UInt8] {
        var lines = ["# .PCD v\(version) - Point Cloud Data file format", "VERSION \(version)", "FIELDS \(fields)"]
        if let size { lines.append("SIZE \(size)") }
        if let type { lines.append("TYPE \(type)") }
        if let count { lines.append("COUNT \(count)") }
        lines += ["WIDTH \(width)", "HEIGHT \(height)"]
        if let viewpoint { lines.append("VIEWPOINT \(viewpoint)") }
        if let points { lines.append("POINTS \(points)") }
        return Array((lines.joined(separator: "\n") + "\nDATA \(data)\n").utf8) + body
    }

    static func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
        values.withUnsafeBytes { Array($0) }
    }

    static func floats(_ values: Float...) -> [UInt8] { bytes(values) }

    static func read(_ bytes: [UInt8], limits: CloudLimits = CloudLimits()) throws(PointCloudError) -> PointCloud {
        try CloudReader.read(bytes, source: "a.pcd", limits: limits).cloud
    }

    static func read(_ text: String) throws(PointCloudError) -> PointCloud { try read(Array(text.utf8)) }

    /// What reading fails with; empty when it does not.
    static func error(_ bytes: [UInt8], limits: CloudLimits = CloudLimits()) -> String {
        do throws(PointCloudError) {
            _ = try read(bytes, limits: limits)
            return ""
        } catch { return error.description }
    }

    static func error(_ text: String) -> String { error(Array(text.utf8)) }
}

extension PointCloud {
    var points: [Vector3] { (0..<count).map { point($0) } }
}
