/// Sorts points along an axis by radix sort, in three passes of eleven bits.
enum AxisSort {
    /// A point's sort key, its coordinate along the axis as an integer, and its index.
    struct Item {
        var key: UInt32
        var index: UInt32
    }

    private static let buckets = 2048

    /// Sorts at most 2^30 points along an axis; the sort is stable.
    static func order(_ points: UnsafeBufferPointer<SIMD3<Float>>, along axis: Axis) -> [Item] {
        [Item](unsafeUninitializedCapacity: points.count) { items, count in
            count = points.count
            let spare = UnsafeMutableBufferPointer<Item>.allocate(capacity: points.count)
            defer { spare.deallocate() }
            for index in 0..<points.count {
                items.initializeElement(
                    at: index,
                    to: Item(key: key(axis.turned(points[index]).x), index: UInt32(truncatingIfNeeded: index)))
            }
            var (from, to) = (items, spare)
            for shift: UInt32 in [0, 11, 22] where pass(from, to, shift) { swap(&from, &to) }
            if from.baseAddress != items.baseAddress { _ = items.update(fromContentsOf: from) }
        }
    }

    /// One pass of the sort.
    ///
    /// - Returns: whether items were written to `to`; `false` if all fall into one bucket.
    private static func pass(
        _ from: UnsafeMutableBufferPointer<Item>, _ to: UnsafeMutableBufferPointer<Item>, _ shift: UInt32
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: buckets) { starts in
            starts.initialize(repeating: 0)
            for index in 0..<from.count { starts[bucket(from[index], shift)] += 1 }
            if let first = from.first, starts[bucket(first, shift)] == from.count { return false }
            var sum = 0
            for bucket in 0..<buckets {
                let count = starts[bucket]
                starts[bucket] = sum
                sum += count
            }
            for index in 0..<from.count {
                let item = from[index]
                let bucket = bucket(item, shift)
                to.initializeElement(at: starts[bucket], to: item)
                starts[bucket] += 1
            }
            return true
        }
    }

    @inline(__always)
    private static func bucket(_ item: Item, _ shift: UInt32) -> Int { Int((item.key >> shift) & 2047) }

    /// Maps finite numbers to integers in the same order; both zeros map to the same integer.
    @inline(__always)
    private static func key(_ value: Float) -> UInt32 {
        let bits = (value + 0).bitPattern
        return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
    }
}

/// One of the three axes.
public enum Axis: Hashable, Sendable, CaseIterable {
    /// The first.
    case x
    /// The second.
    case y
    /// The third.
    case z

    /// Rotates the components so that this axis is first.
    @inline(__always)
    func turned(_ point: SIMD3<Float>) -> SIMD3<Float> {
        switch self {
        case .x: point
        case .y: SIMD3(point.y, point.z, point.x)
        case .z: SIMD3(point.z, point.x, point.y)
        }
    }

    /// The inverse of ``turned(_:)``.
    @inline(__always)
    func rotatedBack(_ point: SIMD3<Float>) -> SIMD3<Float> {
        switch self {
        case .x: point
        case .y: SIMD3(point.z, point.x, point.y)
        case .z: SIMD3(point.y, point.z, point.x)
        }
    }
}
