public import UAVLink

/// The smallest box around points.
public struct CloudBounds: Hashable, Sendable {
    /// Its corner with the least coordinates, metres in the cloud's frame.
    public var minimum: Vector3
    /// Its corner with the greatest coordinates, metres in the cloud's frame.
    public var maximum: Vector3

    /// A box.
    public init(minimum: Vector3, maximum: Vector3) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The middle of the box.
    public var centre: Vector3 { (minimum + maximum) * 0.5 }
    /// Its edges, metres.
    public var size: Vector3 { maximum - minimum }
}

extension PointCloud {
    /// The smallest box around the points; absent when there are none.
    public var bounds: CloudBounds? {
        guard let box = offsetBounds else { return nil }
        func place(_ offset: SIMD3<Float>) -> Vector3 {
            origin + Vector3(x: Double(offset.x), y: Double(offset.y), z: Double(offset.z))
        }
        return CloudBounds(minimum: place(box.least), maximum: place(box.greatest))
    }

    /// The same, from the origin.
    var offsetBounds: (least: SIMD3<Float>, greatest: SIMD3<Float>)? {
        guard let first = offsets.first else { return nil }
        var (least, greatest) = (first, first)
        offsets.withUnsafeBufferPointer { points in
            for point in points {
                // By masks: the minimum of two numbers lane by lane is four times as slow.
                least.replace(with: point, where: point .< least)
                greatest.replace(with: point, where: point .> greatest)
            }
        }
        return (least, greatest)
    }
}
