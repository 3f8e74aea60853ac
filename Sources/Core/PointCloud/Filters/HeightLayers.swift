public import UAVLink

/// A cloud divided into layers of equal height: ten by default, selected with a slider.
///
/// Every point is in exactly one layer, and the points of a layer are contiguous, so that a slice needs no search.
public struct HeightLayers: Sendable {
    /// The range of heights that is divided into layers.
    public enum Range: Hashable, Sendable {
        /// From the lowest point to the highest.
        case full
        /// Without this fraction of the points at the bottom and at the top: outliers of a scanner, which would otherwise
        /// stretch the layers. They are put into the lowest and the highest layer.
        case withoutOutliers(fraction: Double)
    }

    /// The default number of layers.
    public static let defaultCount = 10
    /// The largest number of layers.
    public static let largestCount = 1000

    /// The points, those of the lowest layer first, in the order of the original cloud within each layer.
    public let cloud: PointCloud
    /// Heights of the borders between layers, metres in the cloud's frame; one more than there are layers.
    public let borders: [Double]
    /// The index range of each layer's points in ``cloud``.
    public let ranges: [Swift.Range<Int>]

    /// The number of layers.
    public var count: Int { ranges.count }

    /// Divides a cloud into layers.
    ///
    /// - Throws: ``PointCloudError`` with ``PointCloudError/Code/outOfRange`` for a count outside 1 to ``largestCount`` or
    ///   a fraction outside 0 to 0.49.
    public init(_ cloud: PointCloud, count: Int = defaultCount, range: Range = .full) throws(PointCloudError) {
        guard (1...Self.largestCount).contains(count) else {
            throw PointCloudError(.outOfRange, "\(count) layers; expected 1 to \(Self.largestCount)")
        }
        let (low, high) = try Self.heights(cloud, range)
        let step = (Double(high) - Double(low)) / Double(count)
        borders = (0...count).map { cloud.origin.z + ($0 == count ? Double(high) : Double(low) + Double($0) * step) }
        let layersPerMetre = step > 0 ? Float(1 / step) : 0
        func layer(_ offset: SIMD3<Float>) -> Int {
            let place = (offset.z - low) * layersPerMetre
            return place > 0 ? min(count - 1, Int(min(place, Float(count)))) : 0
        }
        var next = [Int](repeating: 0, count: count)
        for offset in cloud.offsets { next[layer(offset)] += 1 }
        var ranges: [Swift.Range<Int>] = []
        var start = 0
        for index in 0..<count {
            ranges.append(start..<(start + next[index]))
            next[index] = start
            start = ranges[index].upperBound
        }
        let sorted = [SIMD3<Float>](unsafeUninitializedCapacity: cloud.count) { buffer, initialized in
            for offset in cloud.offsets {
                let layer = layer(offset)
                buffer.initializeElement(at: next[layer], to: offset)
                next[layer] += 1
            }
            initialized = cloud.count
        }
        self.ranges = ranges
        self.cloud = PointCloud(origin: cloud.origin, offsets: sorted, viewpoint: cloud.viewpoint)
    }

    /// The points of a layer, 0 being the lowest; empty for a layer that does not exist.
    public func slice(_ index: Int) -> PointCloud {
        guard ranges.indices.contains(index) else { return PointCloud(origin: cloud.origin) }
        return PointCloud(
            origin: cloud.origin, offsets: Array(cloud.offsets[ranges[index]]), viewpoint: cloud.viewpoint)
    }

    /// The layer of a height, metres in the cloud's frame; the lowest and the highest layer are unbounded.
    public func layer(atHeight metres: Double) -> Int {
        for index in 1..<max(1, count) where metres < borders[index] { return index - 1 }
        return max(0, count - 1)
    }

    /// The layers translated into another frame with the same axes.
    public func moved(by way: Vector3) -> HeightLayers {
        HeightLayers(cloud: cloud.moved(by: way), borders: borders.map { $0 + way.z }, ranges: ranges)
    }

    private init(cloud: PointCloud, borders: [Double], ranges: [Swift.Range<Int>]) {
        (self.cloud, self.borders, self.ranges) = (cloud, borders, ranges)
    }

    private static func heights(
        _ cloud: PointCloud, _ range: Range
    ) throws(PointCloudError) -> (low: Float, high: Float) {
        let box = cloud.offsetBounds
        switch range {
        case .full: return (box?.least.z ?? 0, box?.greatest.z ?? 0)
        case .withoutOutliers(let fraction):
            guard fraction >= 0, fraction <= 0.49 else {
                throw PointCloudError(.outOfRange, "\(fraction) of the points as outliers; expected 0 to 0.49")
            }
            guard let box else { return (0, 0) }
            return quantiles(cloud, fraction, box.least.z, box.greatest.z)
        }
    }

    /// The heights below and above which this fraction of the points lies, from a histogram refined three times: to
    /// a billionth of the range, without sorting.
    private static func quantiles(
        _ cloud: PointCloud, _ fraction: Double, _ least: Float, _ greatest: Float
    ) -> (Float, Float) {
        let skipped = Int(fraction * Double(cloud.count))
        let low = height(ofRank: skipped, cloud, Double(least), Double(greatest))
        let high = height(ofRank: cloud.count - 1 - skipped, cloud, Double(least), Double(greatest))
        return (Float(low.lowerBound), max(Float(low.lowerBound), min(greatest, Float(high.upperBound))))
    }

    private static func height(
        ofRank rank: Int, _ cloud: PointCloud, _ least: Double, _ greatest: Double
    ) -> ClosedRange<Double> {
        let bins = 1024
        var (from, to, left) = (least, greatest, rank)
        for _ in 0..<3 where to > from {
            let width = (to - from) / Double(bins)
            guard width > 0 else { break }
            var counts = [Int](repeating: 0, count: bins)
            for offset in cloud.offsets {
                let height = Double(offset.z)
                guard height >= from, height <= to else { continue }
                counts[min(bins - 1, Int((height - from) / width))] += 1
            }
            var bin = 0
            while bin < bins - 1, left >= counts[bin] {
                left -= counts[bin]
                bin += 1
            }
            (from, to) = (from + Double(bin) * width, min(to, from + Double(bin + 1) * width))
        }
        return from...max(from, to)
    }
}
