/// The layout of the points of a `sensor_msgs/PointCloud2`.
public struct PointCloud2Layout: Hashable, Sendable {
    /// One `sensor_msgs/PointField`.
    public struct Field: Hashable, Sendable {
        /// The name; untrusted text from the message.
        public var name: String
        /// The offset within a point, bytes.
        public var offset: UInt32
        /// The type: 1 int8, 2 uint8, 3 int16, 4 uint16, 5 int32, 6 uint32, 7 float32, 8 float64.
        public var datatype: UInt8
        /// The number of values.
        public var count: UInt32

        /// A field.
        public init(name: String, offset: UInt32, datatype: UInt8, count: UInt32 = 1) {
            self.name = name
            self.offset = offset
            self.datatype = datatype
            self.count = count
        }
    }

    /// The fields.
    public var fields: [Field]
    /// The size of a point, bytes.
    public var pointStep: UInt32
    /// The size of a row, bytes.
    public var rowStep: UInt32
    /// Whether values are big-endian.
    public var isBigEndian: Bool
    /// The number of points per row.
    public var width: UInt32
    /// The number of rows.
    public var height: UInt32

    /// A layout.
    public init(
        fields: [Field], pointStep: UInt32, rowStep: UInt32, isBigEndian: Bool, width: UInt32, height: UInt32
    ) {
        self.fields = fields
        self.pointStep = pointStep
        self.rowStep = rowStep
        self.isBigEndian = isBigEndian
        self.width = width
        self.height = height
    }
}

/// Reads the points of a `sensor_msgs/PointCloud2`.
public enum PointCloud2Decoder {
    /// Decodes the points; those with invalid coordinates are dropped.
    ///
    /// - Parameter source: the topic, for errors.
    /// - Throws: ``PointCloudError`` that names the field, what was found and what was expected.
    public static func decode(
        _ layout: PointCloud2Layout, data: [UInt8], source: String, limits: CloudLimits = CloudLimits(),
        progress: CloudProgress = .none
    ) throws(PointCloudError) -> CloudReading {
        let source = CloudSource(source)
        // A product that overflows exceeds any limit.
        let (points, isTooLarge) = Int(layout.width).multipliedReportingOverflow(by: Int(layout.height))
        guard !isTooLarge, points <= limits.points else {
            throw source.error(
                .tooLarge, "\(layout.width) by \(layout.height) points; the limit is \(limits.points)")
        }
        let (x, y, z) = (
            try field("x", layout, source), try field("y", layout, source), try field("z", layout, source)
        )
        let place = PointLayout(
            offsets: (x.offset, y.offset, z.offset), kinds: (x.kind, y.kind, z.kind), isBigEndian: layout.isBigEndian)
        // The width is within the limit, too, so nothing below overflows; a cloud without points may have any width.
        let (row, rowStep) = (points == 0 ? 0 : Int(layout.width) * Int(layout.pointStep), Int(layout.rowStep))
        // With one row the length follows from the points; drivers often leave row_step 0 then.
        guard layout.height <= 1 || rowStep >= row else {
            throw source.error(
                "row_step is \(rowStep); \(layout.width) points of \(layout.pointStep) bytes need \(row)")
        }
        let needed = points == 0 ? 0 : (Int(layout.height) - 1) * rowStep + row
        guard data.count >= needed else {
            throw source.error(.truncated, "data has \(data.count) bytes; \(points) points need \(needed)")
        }
        var gathered = PointCollector(expected: points, possible: points, progress: progress)
        if points > 0 {
            try data.withUnsafeBufferPointer { buffer throws(PointCloudError) in
                let bytes = UnsafeRawBufferPointer(buffer)
                for line in 0..<Int(layout.height) {
                    try gathered.add(
                        count: Int(layout.width), stride: Int(layout.pointStep), at: line * rowStep, of: bytes,
                        layout: place)
                }
            }
        }
        return CloudReading(format: .pcd, droppedPoints: gathered.dropped, cloud: gathered.cloud())
    }

    private static func field(
        _ name: String, _ layout: PointCloud2Layout, _ source: CloudSource
    ) throws(PointCloudError) -> (offset: Int, kind: ScalarKind) {
        guard let field = layout.fields.prefix(CloudLimits.fields).first(where: { $0.name == name }) else {
            throw source.error("has no field '\(name)'")
        }
        guard let kind = kind(field.datatype) else {
            throw source.error("field '\(name)' has datatype \(field.datatype); expected 1 to 8")
        }
        // Some drivers write 0 instead of 1.
        guard field.count <= 1 else { throw source.error("field '\(name)' has \(field.count) values; expected 1") }
        guard Int(field.offset) + kind.size <= Int(layout.pointStep) else {
            throw source.error(
                "field '\(name)' at byte \(field.offset) lies outside a point of \(layout.pointStep) bytes")
        }
        return (Int(field.offset), kind)
    }

    private static func kind(_ datatype: UInt8) -> ScalarKind? {
        switch datatype {
        case 1: .int8
        case 2: .uint8
        case 3: .int16
        case 4: .uint16
        case 5: .int32
        case 6: .uint32
        case 7: .float32
        case 8: .float64
        default: nil
        }
    }
}
