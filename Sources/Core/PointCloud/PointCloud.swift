public import UAVLink

/// Points in space, as a map or a scan has them.
///
/// Coordinates are metres. Each point is an offset in single precision from a double-precision origin, so that maps in UTM
/// coordinates (seven digits before the point) keep their millimetres and a million points take 16 MB.
public struct PointCloud: Sendable {
    /// What the offsets count from, metres in the cloud's frame.
    public var origin: Vector3
    /// The points; every coordinate is finite.
    public var offsets: [SIMD3<Float>]
    /// Where the points were seen from, metres in the cloud's frame, when the file says.
    public var viewpoint: Vector3?

    /// A cloud of these points.
    public init(origin: Vector3 = .zero, offsets: [SIMD3<Float>] = [], viewpoint: Vector3? = nil) {
        self.origin = origin
        self.offsets = offsets
        self.viewpoint = viewpoint
    }

    /// How many points.
    public var count: Int { offsets.count }

    /// A point in the cloud's frame, metres.
    public func point(_ index: Int) -> Vector3 {
        let offset = offsets[index]
        return Vector3(x: origin.x + Double(offset.x), y: origin.y + Double(offset.y), z: origin.z + Double(offset.z))
    }
}
