internal import UAVLink

extension PointCloud {
    /// The points inside a box, its faces included.
    public func cropped(to box: CloudBounds) -> PointCloud {
        // In single precision, rounded towards the inside, so that the loop need not widen each point.
        let low = box.minimum - origin
        let high = box.maximum - origin
        let least = SIMD3(Self.notBelow(low.x), Self.notBelow(low.y), Self.notBelow(low.z))
        let greatest = SIMD3(Self.notAbove(high.x), Self.notAbove(high.y), Self.notAbove(high.z))
        var inside: [SIMD3<Float>] = []
        for offset in offsets where all(offset .>= least) && all(offset .<= greatest) { inside.append(offset) }
        return PointCloud(origin: origin, offsets: inside, viewpoint: viewpoint)
    }

    /// The least number in single precision that is not below.
    static func notBelow(_ value: Double) -> Float {
        let near = Float(value)
        return Double(near) < value ? near.nextUp : near
    }

    /// The greatest number in single precision that is not above.
    static func notAbove(_ value: Double) -> Float {
        let near = Float(value)
        return Double(near) > value ? near.nextDown : near
    }
}
