internal import UAVLink

extension PointCloud {
    /// The points inside a box, its faces included.
    public func cropped(to box: CloudBounds) -> PointCloud {
        // The box in single precision, rounded inwards, so that the loop need not convert each point to double.
        let low = box.minimum - origin
        let high = box.maximum - origin
        let least = SIMD3(Self.floatRoundedUp(low.x), Self.floatRoundedUp(low.y), Self.floatRoundedUp(low.z))
        let greatest = SIMD3(
            Self.floatRoundedDown(high.x), Self.floatRoundedDown(high.y), Self.floatRoundedDown(high.z))
        var inside: [SIMD3<Float>] = []
        for offset in offsets where all(offset .>= least) && all(offset .<= greatest) { inside.append(offset) }
        return PointCloud(origin: origin, offsets: inside, viewpoint: viewpoint)
    }

    /// The smallest single-precision number that is not below `value`.
    static func floatRoundedUp(_ value: Double) -> Float {
        let near = Float(value)
        return Double(near) < value ? near.nextUp : near
    }

    /// The largest single-precision number that is not above `value`.
    static func floatRoundedDown(_ value: Double) -> Float {
        let near = Float(value)
        return Double(near) > value ? near.nextDown : near
    }
}
