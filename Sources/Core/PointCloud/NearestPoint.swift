public import UAVLink

extension PointCloud {
    /// The point nearest to a straight line between two places, and its distance, metres; `nil` for a cloud without points.
    ///
    /// All points are looked at, 10 ms for a million.
    ///
    /// - Parameter radius: points this near to the start are ignored, metres: those of the vehicle itself.
    public func nearest(
        toLineFrom start: Vector3, to end: Vector3, beyond radius: Double = 0
    ) -> (point: Vector3, metres: Double)? {
        let (from, to) = (Self.components(start - origin), Self.components(end - origin))
        let way = to - from
        let squaredLength = (way * way).sum()
        var nearest: (index: Int, squared: Double)?
        for (index, offset) in offsets.enumerated() {
            let place = SIMD3<Double>(offset) - from
            let share = squaredLength > 0 ? min(max((place * way).sum() / squaredLength, 0), 1) : 0
            let miss = place - way * share
            let squared = (miss * miss).sum()
            let isIgnored = radius > 0 && (place * place).sum() <= radius * radius
            if !isIgnored, squared < nearest?.squared ?? .infinity { nearest = (index, squared) }
        }
        return nearest.map { (point($0.index), $0.squared.squareRoot()) }
    }

    private static func components(_ vector: Vector3) -> SIMD3<Double> {
        SIMD3(vector.x, vector.y, vector.z)
    }
}
