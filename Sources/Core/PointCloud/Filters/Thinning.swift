internal import Synchronization
internal import Threads

extension PointCloud {
    /// Reduces the density: no two points of the result are nearer to each other than the spacing.
    ///
    /// Points are visited in order along an axis; one that is nearer than the spacing to a point already kept is dropped.
    /// So every dropped point has a kept neighbour nearer than the spacing; two points at exactly the spacing are both kept.
    ///
    /// The axis is the longest one unless given. A hash of the cells across the axis finds the candidates, with the same
    /// result as a comparison with all points within the spacing along the axis. The result is ordered along the axis.
    ///
    /// A cloud of ``smallestDivided`` points or more is thinned in four parts along the axis, on several threads. Between two
    /// parts lies a strip of twice the spacing, whose points come last, and are dropped when they are near to a kept point
    /// on either side. The result does not depend on the number of threads.
    ///
    /// - Parameters:
    ///   - threads: the largest number of threads that work on it; one for each processor unless given.
    ///   - progress: called on these threads.
    /// - Throws: ``PointCloudError`` with ``PointCloudError/Code/outOfRange`` for an invalid spacing, or with
    ///   ``PointCloudError/Code/cancelled``.
    public func thinned(
        spacingMetres: Double, along axis: Axis? = nil, threads: Int? = nil, progress: CloudProgress = .none
    ) throws(PointCloudError) -> PointCloud {
        try thinned(
            spacingMetres: spacingMetres, along: axis, threads: threads ?? ConcurrentWork.processors,
            progress: progress, dividedFrom: Self.smallestDivided)
    }

    /// - Parameter smallest: the number of points from which on it is thinned in parts.
    func thinned(
        spacingMetres: Double, along axis: Axis?, threads: Int, progress: CloudProgress, dividedFrom smallest: Int
    ) throws(PointCloudError) -> PointCloud {
        guard spacingMetres >= 0, spacingMetres <= CloudLimits.largestCoordinateMetres else {
            throw PointCloudError(.outOfRange, "a spacing of \(spacingMetres) m; expected 0 to 1e9 m")
        }
        guard spacingMetres > 0, let box = offsetBounds else { return self }
        let size = box.greatest - box.least
        let longest: Axis = size.x >= size.y && size.x >= size.z ? .x : size.y >= size.z ? .y : .z
        let axis = axis ?? longest
        let kept = try offsets.withUnsafeBufferPointer { points throws(PointCloudError) in
            let work = ThinningWork(
                points, along: axis, spacingMetres: spacingMetres, isDivided: count >= smallest, progress: progress)
            let filters = UnsafeMutableBufferPointer<SpacingFilter>.allocate(capacity: work.parts.count)
            for (index, part) in work.parts.enumerated() {
                filters.initializeElement(
                    at: index,
                    to: SpacingFilter(
                        axis: axis, least: box.least, spacingMetres: spacingMetres,
                        capacity: part.body.count + part.strip.count))
            }
            defer {
                filters.deinitialize()
                filters.deallocate()
            }
            return try work.run(filters, threads: threads)
        }
        return PointCloud(origin: origin, offsets: kept, viewpoint: viewpoint)
    }

    /// The number of points from which on a cloud is thinned in parts.
    static let smallestDivided = 1 << 17
}

/// The thinning of a cloud, part by part.
///
/// `@unchecked`, since it reads the caller's buffer, which nobody changes until all threads have ended.
private final class ThinningWork: @unchecked Sendable {
    /// A stretch of the axis, as places in the order along it.
    struct Part {
        /// The points that are thinned beside other parts.
        var body: Range<Int>
        /// Those between this part and the next, which are thinned last.
        var strip: Range<Int>
    }

    private static let partCount = 4
    private static let pointsPerReport = 1 << 15

    let parts: [Part]
    private let points: UnsafeBufferPointer<SIMD3<Float>>
    private let order: [AxisSort.Item]
    private let axis: Axis
    private let spacing: Float
    private let progress: CloudProgress
    private let done = Atomic<Int>(0)
    private let isCancelled = Atomic<Bool>(false)

    init(
        _ points: UnsafeBufferPointer<SIMD3<Float>>, along axis: Axis, spacingMetres: Double, isDivided: Bool,
        progress: CloudProgress
    ) {
        (self.points, self.axis, self.progress) = (points, axis, progress)
        let order = AxisSort.order(points, along: axis)
        self.order = order
        spacing = Float(spacingMetres)
        parts = Self.divided(order.count, into: isDivided ? Self.partCount : 1, width: 2 * spacing) {
            axis.turned(points[Int(order[$0].index)]).x
        }
    }

    /// Divides the order into parts of as many points each.
    ///
    /// - Parameters:
    ///   - width: that of a strip, metres: twice the spacing, so that rounding puts no two near points on both sides of it.
    ///   - coordinate: that of a place in the order, along the axis; never descending.
    private static func divided(
        _ count: Int, into number: Int, width: Float, _ coordinate: (Int) -> Float
    ) -> [Part] {
        func firstPlace(from start: Int, notBelow limit: Float) -> Int {
            var (low, high) = (start, count)
            while low < high {
                let middle = low + (high - low) / 2
                if coordinate(middle) < limit { low = middle + 1 } else { high = middle }
            }
            return low
        }
        var parts: [Part] = []
        var start = 0
        for index in 1..<max(1, number) {
            let cut = coordinate(count * index / number)
            // A narrower part would leave points of two strips near to each other.
            guard cut >= coordinate(start) + width else { continue }
            let strip = firstPlace(from: start, notBelow: cut)
            let end = firstPlace(from: strip, notBelow: cut + width)
            guard strip > start, end < count else { continue }
            parts.append(Part(body: start..<strip, strip: strip..<end))
            start = end
        }
        return parts + [Part(body: start..<count, strip: count..<count)]
    }

    /// - Parameter filters: one for each part, with nothing kept.
    /// - Returns: the kept points, ordered along the axis.
    func run(
        _ filters: UnsafeMutableBufferPointer<SpacingFilter>, threads: Int
    ) throws(PointCloudError) -> [SIMD3<Float>] {
        // Each part has a filter of its own, which one thread uses at a time.
        nonisolated(unsafe) let filters = filters
        ConcurrentWork.perform(parts.count, threads: threads) { [self] part in
            for place in parts[part].body {
                if (place - parts[part].body.lowerBound) % Self.pointsPerReport == 0, !report() { return }
                filters[part].take(points[Int(order[place].index)])
            }
        }
        if isCancelled.load(ordering: .relaxed) {
            throw PointCloudError(.cancelled, "thinning the point cloud was cancelled")
        }
        for index in parts.indices.dropLast() where !parts[index].strip.isEmpty {
            let strip = parts[index].strip
            let last = axis.turned(points[Int(order[strip.upperBound - 1].index)]).x
            let head = filters[index + 1].head(before: last + 2 * spacing)
            for place in strip { filters[index].take(points[Int(order[place].index)], awayFrom: head) }
        }
        let total = filters.indices.reduce(0) { $0 + filters[$1].count }
        return [SIMD3<Float>](unsafeUninitializedCapacity: total) { buffer, initialized in
            for index in filters.indices {
                if let start = buffer.baseAddress { filters[index].copy(to: start + initialized) }
                initialized += filters[index].count
            }
        }
    }

    /// - Returns: whether the work is still wanted.
    private func report() -> Bool {
        guard !isCancelled.load(ordering: .relaxed) else { return false }
        let before = done.add(Self.pointsPerReport, ordering: .relaxed).oldValue
        do throws(PointCloudError) {
            try progress.report(min(1, Double(before) / Double(points.count)))
            return true
        } catch {
            isCancelled.store(true, ordering: .relaxed)
            return false
        }
    }
}
