public import UAVLink

/// An axis-aligned bounding box.
public struct CloudBounds: Hashable, Sendable {
    /// The corner with the smallest coordinates, metres in the cloud's frame.
    public var minimum: Vector3
    /// The corner with the largest coordinates, metres in the cloud's frame.
    public var maximum: Vector3

    /// A box.
    public init(minimum: Vector3, maximum: Vector3) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The centre of the box.
    public var centre: Vector3 { (minimum + maximum) * 0.5 }
    /// Whether a place is in the box or on its edge.
    public func contains(_ place: Vector3) -> Bool {
        (minimum.x...maximum.x).contains(place.x) && (minimum.y...maximum.y).contains(place.y)
            && (minimum.z...maximum.z).contains(place.z)
    }
    /// The lengths of its edges, metres.
    public var size: Vector3 { maximum - minimum }
}

extension PointCloud {
    /// The bounding box of the points; `nil` if there are none.
    public var bounds: CloudBounds? {
        guard let box = offsetBounds else { return nil }
        func place(_ offset: SIMD3<Float>) -> Vector3 {
            origin + Vector3(x: Double(offset.x), y: Double(offset.y), z: Double(offset.z))
        }
        return CloudBounds(minimum: place(box.least), maximum: place(box.greatest))
    }

    /// The bounding box relative to the origin.
    var offsetBounds: (least: SIMD3<Float>, greatest: SIMD3<Float>)? {
        guard let first = offsets.first else { return nil }
        // Four boxes in turn, since each comparison waits for the one before it in the same box. With masks: the lane-wise
        // minimum is four times as slow.
        var (least, greatest) = ((first, first, first, first), (first, first, first, first))
        func stretch(_ least: inout SIMD3<Float>, _ greatest: inout SIMD3<Float>, to point: SIMD3<Float>) {
            least.replace(with: point, where: point .< least)
            greatest.replace(with: point, where: point .> greatest)
        }
        offsets.withUnsafeBufferPointer { points in
            var index = 0
            while index + 4 <= points.count {
                stretch(&least.0, &greatest.0, to: points[index])
                stretch(&least.1, &greatest.1, to: points[index + 1])
                stretch(&least.2, &greatest.2, to: points[index + 2])
                stretch(&least.3, &greatest.3, to: points[index + 3])
                index += 4
            }
            for point in points[index...] { stretch(&least.0, &greatest.0, to: point) }
        }
        for corner in [least.1, least.2, least.3] { least.0.replace(with: corner, where: corner .< least.0) }
        for corner in [greatest.1, greatest.2, greatest.3] {
            greatest.0.replace(with: corner, where: corner .> greatest.0)
        }
        return (least.0, greatest.0)
    }
}
