internal import UAVLink

/// Reads the points of a PCD file.
struct PCDReader {
    private let bytes: UnsafeRawBufferPointer
    private let source: CloudSource
    private let progress: CloudProgress
    private let header: PCDHeader

    static func read(
        _ bytes: UnsafeRawBufferPointer, source: CloudSource, limits: CloudLimits, progress: CloudProgress
    ) throws(PointCloudError) -> CloudReading {
        let header = try PCDHeaderReader.read(bytes, source: source)
        guard header.points <= limits.points else {
            throw source.error(.tooLarge, "\(header.points) points; the limit is \(limits.points)")
        }
        let reader = Self(bytes: bytes, source: source, progress: progress, header: header)
        let gathered: PointCollector
        switch header.encoding {
        case .ascii: gathered = try reader.ascii()
        case .binary: gathered = try reader.binary()
        case .compressed: gathered = try reader.compressed()
        }
        let dropped = gathered.dropped
        var cloud = gathered.cloud(viewpoint: header.viewpoint)
        if cloud.hasDistantDefaultViewpoint { cloud.viewpoint = nil }
        return CloudReading(format: .pcd, droppedPoints: dropped, cloud: cloud)
    }

    // MARK: One line a point

    private func ascii() throws(PointCloudError) -> PointCollector {
        let fields = try header.coordinates(source)
        let columns = header.columns
        let (x, y, z) = (column(of: fields.x), column(of: fields.y), column(of: fields.z))
        // A number and a separator take at least two bytes.
        let possible = (bytes.count - header.bodyStart) / (2 * columns) + 1
        var points = PointCollector(expected: header.points, possible: possible, progress: progress)
        var rows = TextRows(bytes, from: header.bodyStart, line: header.bodyLine, source: source)
        for index in 0..<header.points {
            guard try rows.advance() else {
                throw source.error(.truncated, "ends after \(index) of \(header.points) points")
            }
            var point = (x: 0.0, y: 0.0, z: 0.0)
            for column in 0..<columns {
                let number = try rows.number()
                if column == x {
                    point.x = number
                } else if column == y {
                    point.y = number
                } else if column == z {
                    point.z = number
                }
            }
            guard rows.isAtLineEnd else {
                throw source.error(
                    line: rows.line, "\(CloudSource.shown(rows.rest)) after the \(columns) values of a point")
            }
            try points.add(point.x, point.y, point.z)
        }
        if try rows.advance() {
            throw source.error(line: rows.line, "more than the \(header.points) points declared in the header")
        }
        return points
    }

    private func column(of field: Int) -> Int { header.fields[..<field].reduce(0) { $0 + $1.count } }

    // MARK: Point by point

    private func binary() throws(PointCloudError) -> PointCollector {
        let fields = try header.coordinates(source)
        let size = header.pointSize
        // Bytes after the points are ignored: some writers pad the file to a memory page.
        let possible = (bytes.count - header.bodyStart) / size
        guard possible >= header.points else {
            throw source.error(
                .truncated, byte: bytes.count,
                "ends after \(possible) of \(header.points) points of \(size) bytes")
        }
        var points = PointCollector(expected: header.points, possible: possible, progress: progress)
        let layout = PointLayout(
            offsets: (offset(of: fields.x), offset(of: fields.y), offset(of: fields.z)), kinds: kinds(fields))
        try points.add(count: header.points, stride: size, at: header.bodyStart, of: bytes, layout: layout)
        return points
    }

    private func offset(of field: Int) -> Int { header.fields[..<field].reduce(0) { $0 + $1.size } }

    private func kinds(_ fields: (x: Int, y: Int, z: Int)) -> (x: ScalarKind, y: ScalarKind, z: ScalarKind) {
        (header.fields[fields.x].kind, header.fields[fields.y].kind, header.fields[fields.z].kind)
    }

    // MARK: Field by field, compressed

    private func compressed() throws(PointCloudError) -> PointCollector {
        let fields = try header.coordinates(source)
        let start = header.bodyStart
        guard bytes.count - start >= 8 else {
            throw source.error(.truncated, byte: bytes.count, "ends before the sizes of the compressed points")
        }
        let packedSize = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
        let size = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
        guard packedSize <= bytes.count - start - 8 else {
            throw source.error(
                .truncated, byte: bytes.count,
                "ends after \(bytes.count - start - 8) of \(packedSize) bytes of compressed points")
        }
        let withoutPadding = try total(header.fields.reduce(0) { $0 + ($1.isPadding ? 0 : $1.size) })
        let withPadding = try total(header.pointSize)
        guard size == withoutPadding || size == withPadding else {
            throw source.error(
                byte: start + 4, "\(size) bytes of points; the header declares \(withoutPadding)")
        }
        if header.points == 0 { return PointCollector(expected: 0, possible: 0, progress: progress) }
        let packed = UnsafeRawBufferPointer(rebasing: bytes[(start + 8)..<(start + 8 + packedSize)])
        let unpacked = try Compression.unpack(packed, size: size, source: source, at: start + 8)
        try progress.report(0)
        return try gather(unpacked, fields, skipsPadding: size == withoutPadding)
    }

    private func total(_ pointSize: Int) throws(PointCloudError) -> Int {
        let (product, isTooLarge) = pointSize.multipliedReportingOverflow(by: header.points)
        guard !isTooLarge else {
            throw source.error(.tooLarge, "\(header.points) points of \(pointSize) bytes are too large")
        }
        return product
    }

    private func gather(
        _ unpacked: [UInt8], _ fields: (x: Int, y: Int, z: Int), skipsPadding: Bool
    ) throws(PointCloudError) -> PointCollector {
        func start(_ field: Int) -> Int {
            header.points * header.fields[..<field].reduce(0) { $0 + (skipsPadding && $1.isPadding ? 0 : $1.size) }
        }
        let count = header.points
        var points = PointCollector(expected: count, possible: count, progress: progress)
        let (xAt, yAt, zAt) = (start(fields.x), start(fields.y), start(fields.z))
        let kinds = kinds(fields)
        try unpacked.withUnsafeBufferPointer { buffer throws(PointCloudError) in
            let bytes = UnsafeRawBufferPointer(buffer)
            if kinds == (.float32, .float32, .float32) {
                for index in 0..<count {
                    try points.add(
                        SIMD3(
                            ScalarKind.float(bytes, at: xAt + 4 * index, isBigEndian: false),
                            ScalarKind.float(bytes, at: yAt + 4 * index, isBigEndian: false),
                            ScalarKind.float(bytes, at: zAt + 4 * index, isBigEndian: false)))
                }
            } else {
                for index in 0..<count {
                    try points.add(
                        kinds.x.load(bytes, at: xAt + kinds.x.size * index, isBigEndian: false),
                        kinds.y.load(bytes, at: yAt + kinds.y.size * index, isBigEndian: false),
                        kinds.z.load(bytes, at: zAt + kinds.z.size * index, isBigEndian: false))
                }
            }
        }
        return points
    }
}

extension PointCloud {
    /// No sensor sees farther, metres.
    private static let farthestSight = 1000.0

    /// Whether the viewpoint is the one that writers fill in without knowing it, 0 0 0, and lies too far away to be true: that of a
    /// map in UTM coordinates, for example.
    fileprivate var hasDistantDefaultViewpoint: Bool {
        // Almost always the first point tells.
        guard viewpoint == .zero, count > 0, point(0).length > Self.farthestSight, let bounds else { return false }
        func beyond(_ low: Double, _ high: Double) -> Double { max(0, low, -high) }
        let away = Vector3(
            x: beyond(bounds.minimum.x, bounds.maximum.x), y: beyond(bounds.minimum.y, bounds.maximum.y),
            z: beyond(bounds.minimum.z, bounds.maximum.z))
        return away.length > Self.farthestSight
    }
}
