public import UAVLink

/// A point cloud, such as a map or a scan.
///
/// Coordinates are metres. Each point is a single-precision offset from a double-precision origin, so that maps in UTM
/// coordinates (seven digits before the point) keep millimetre precision and a million points take 16 MB.
public struct PointCloud: Sendable {
    /// The origin of the offsets, metres in the cloud's frame.
    public var origin: Vector3
    /// The points relative to the origin, metres; every coordinate is finite.
    public var offsets: [SIMD3<Float>]
    /// The sensor's position, metres in the cloud's frame; `nil` if not known.
    public var viewpoint: Vector3?

    /// A point cloud.
    public init(origin: Vector3 = .zero, offsets: [SIMD3<Float>] = [], viewpoint: Vector3? = nil) {
        self.origin = origin
        self.offsets = offsets
        self.viewpoint = viewpoint
    }

    /// The number of points.
    public var count: Int { offsets.count }

    /// The cloud translated into another frame with the same axes.
    public func moved(by way: Vector3) -> PointCloud {
        PointCloud(origin: origin + way, offsets: offsets, viewpoint: viewpoint.map { $0 + way })
    }

    /// A point in the cloud's frame, metres.
    public func point(_ index: Int) -> Vector3 {
        let offset = offsets[index]
        return Vector3(x: origin.x + Double(offset.x), y: origin.y + Double(offset.y), z: origin.z + Double(offset.z))
    }
}
