internal import UAVLink

/// Collects the points of a file: drops invalid ones and keeps the precision of large coordinates.
struct PointCollector {
    private(set) var dropped = 0
    private var origin = Vector3.zero
    private var hasOrigin = false
    private var offsets: [SIMD3<Float>] = []
    private let progress: CloudProgress
    private let total: Int
    private var untilReport = PointCollector.reportEvery
    private var seen = 0

    /// The number of points between two progress reports: about a millisecond of work.
    private static let reportEvery = 1 << 16
    /// Single precision resolves a tenth of a millimetre up to this distance, so nearer clouds need no origin.
    static let originThresholdMetres = 1024.0

    /// An empty collection.
    ///
    /// - Parameters:
    ///   - expected: the number of points declared; memory is reserved for at most `possible` of them.
    ///   - possible: the number of points that the available bytes can hold.
    init(expected: Int, possible: Int, progress: CloudProgress) {
        total = max(1, expected)
        self.progress = progress
        offsets.reserveCapacity(max(0, min(expected, possible)))
    }

    /// Adds a point in double precision; the first one determines the origin.
    @inline(__always)
    mutating func add(_ x: Double, _ y: Double, _ z: Double) throws(PointCloudError) {
        try tick()
        let limit = CloudLimits.largestCoordinateMetres
        guard abs(x) <= limit, abs(y) <= limit, abs(z) <= limit else {
            dropped += 1
            return
        }
        if !hasOrigin { choose(x, y, z) }
        offsets.append(SIMD3(Float(x - origin.x), Float(y - origin.y), Float(z - origin.z)))
    }

    /// Adds a point in single precision.
    @inline(__always)
    mutating func add(_ point: SIMD3<Float>) throws(PointCloudError) {
        try tick()
        let limit = Float(CloudLimits.largestCoordinateMetres)
        guard abs(point.x) <= limit, abs(point.y) <= limit, abs(point.z) <= limit else {
            dropped += 1
            return
        }
        offsets.append(point)
    }

    /// Adds consecutive points of fixed size; the caller has checked that they lie inside the bytes.
    mutating func add(
        count: Int, stride: Int, at start: Int, of bytes: UnsafeRawBufferPointer, layout: PointLayout
    ) throws(PointCloudError) {
        var place = start
        let (at, kinds, big) = (layout.offsets, layout.kinds, layout.isBigEndian)
        if layout.isSinglePrecision {
            for _ in 0..<count {
                try add(
                    SIMD3(
                        ScalarKind.float(bytes, at: place + at.x, isBigEndian: big),
                        ScalarKind.float(bytes, at: place + at.y, isBigEndian: big),
                        ScalarKind.float(bytes, at: place + at.z, isBigEndian: big)))
                place += stride
            }
        } else {
            for _ in 0..<count {
                try add(
                    kinds.x.load(bytes, at: place + at.x, isBigEndian: big),
                    kinds.y.load(bytes, at: place + at.y, isBigEndian: big),
                    kinds.z.load(bytes, at: place + at.z, isBigEndian: big))
                place += stride
            }
        }
    }

    /// The collected points.
    consuming func cloud(viewpoint: Vector3? = nil) -> PointCloud {
        PointCloud(origin: origin, offsets: offsets, viewpoint: viewpoint)
    }

    /// Sets the origin from the first point, in whole metres, so that subtracting it is exact.
    private mutating func choose(_ x: Double, _ y: Double, _ z: Double) {
        hasOrigin = true
        guard max(abs(x), abs(y), abs(z)) >= Self.originThresholdMetres else { return }
        origin = Vector3(x: x.rounded(), y: y.rounded(), z: z.rounded())
    }

    @inline(__always)
    private mutating func tick() throws(PointCloudError) {
        untilReport -= 1
        if untilReport == 0 { try report() }
    }

    @inline(never)
    private mutating func report() throws(PointCloudError) {
        untilReport = Self.reportEvery
        seen += Self.reportEvery
        try progress.report(min(1, Double(seen) / Double(total)))
    }
}
