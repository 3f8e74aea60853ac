internal import UAVLink

/// Writes PCD files, version 0.7.
public enum PCDWriter {
    /// The encoding of the points.
    public enum Encoding: String, Hashable, Sendable, CaseIterable {
        /// One point per line.
        case ascii
        /// Point by point, little endian.
        case binary
        /// Field by field, compressed with LZF.
        case compressed = "binary_compressed"
    }

    /// The bytes of a file with the fields x, y and z.
    ///
    /// Coordinates are in single precision if the cloud's origin is zero and in double precision otherwise, so that no
    /// precision is lost.
    ///
    /// - Throws: ``PointCloudError`` if there are more points than the format can compress.
    public static func bytes(
        of cloud: PointCloud, encoding: Encoding = .compressed
    ) throws(PointCloudError) -> [UInt8] {
        let isDouble = cloud.origin != .zero
        var out = Array(header(of: cloud, encoding, isDouble ? 8 : 4).utf8)
        switch encoding {
        case .ascii: appendText(cloud, isDouble, to: &out)
        case .binary:
            out.reserveCapacity(out.count + cloud.count * (isDouble ? 24 : 12))
            for index in 0..<cloud.count {
                for axis in 0..<3 { append(cloud, index, axis, isDouble, to: &out) }
            }
        case .compressed:
            var fields: [UInt8] = []
            fields.reserveCapacity(cloud.count * (isDouble ? 24 : 12))
            for axis in 0..<3 {
                for index in 0..<cloud.count { append(cloud, index, axis, isDouble, to: &fields) }
            }
            guard let packed = Compression.pack(fields) else {
                throw PointCloudError(
                    .tooLarge, "\(cloud.count) points are too many to compress; use the encoding binary")
            }
            append(UInt32(packed.count).littleEndian, to: &out)
            append(UInt32(fields.count).littleEndian, to: &out)
            out += packed
        }
        return out
    }

    private static func header(of cloud: PointCloud, _ encoding: Encoding, _ size: Int) -> String {
        let eye = cloud.viewpoint ?? .zero
        return """
            # .PCD v0.7 - Point Cloud Data file format
            VERSION 0.7
            FIELDS x y z
            SIZE \(size) \(size) \(size)
            TYPE F F F
            COUNT 1 1 1
            WIDTH \(cloud.count)
            HEIGHT 1
            VIEWPOINT \(eye.x) \(eye.y) \(eye.z) 1 0 0 0
            POINTS \(cloud.count)
            DATA \(encoding.rawValue)

            """
    }

    private static func appendText(_ cloud: PointCloud, _ isDouble: Bool, to out: inout [UInt8]) {
        for index in 0..<cloud.count {
            if isDouble {
                let point = cloud.point(index)
                out.append(contentsOf: "\(point.x) \(point.y) \(point.z)\n".utf8)
            } else {
                let point = cloud.offsets[index]
                out.append(contentsOf: "\(point.x) \(point.y) \(point.z)\n".utf8)
            }
        }
    }

    @inline(__always)
    private static func append(
        _ cloud: PointCloud, _ index: Int, _ axis: Int, _ isDouble: Bool, to out: inout [UInt8]
    ) {
        let offset = cloud.offsets[index][axis]
        guard isDouble else { return append(offset.bitPattern.littleEndian, to: &out) }
        let start = axis == 0 ? cloud.origin.x : axis == 1 ? cloud.origin.y : cloud.origin.z
        append((start + Double(offset)).bitPattern.littleEndian, to: &out)
    }

    @inline(__always)
    private static func append(_ value: some BitwiseCopyable, to out: inout [UInt8]) {
        withUnsafeBytes(of: value) { out.append(contentsOf: $0) }
    }
}
