extension PointCloud {
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
