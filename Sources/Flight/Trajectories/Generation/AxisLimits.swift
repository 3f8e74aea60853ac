internal import UAVLink

extension MotionLimits {
    /// Limits along a direction (a unit vector), such that each component stays within its own.
    func along(_ direction: Vector3) -> Limits {
        let flat = (direction.x * direction.x + direction.y * direction.y).squareRoot()
        let vertical = direction.z >= 0 ? ascending : descending
        func least(_ path: (Limits) -> Double) -> Double {
            var limit = Double.infinity
            if flat > 1e-9 { limit = path(horizontal) / flat }
            if direction.z.magnitude > 1e-9 { limit = min(limit, path(vertical) / direction.z.magnitude) }
            return limit
        }
        return Limits(speed: least { $0.speed }, acceleration: least { $0.acceleration }, jerk: least { $0.jerk })
    }

    /// Vertical limits while the climb rate changes; across zero both the ascending and the descending limits apply.
    func vertical(from start: Double, to end: Double) -> Limits {
        if start >= 0, end >= 0 { return ascending }
        if start <= 0, end <= 0 { return descending }
        return Limits(
            speed: min(ascending.speed, descending.speed),
            acceleration: min(ascending.acceleration, descending.acceleration),
            jerk: min(ascending.jerk, descending.jerk))
    }

    /// - Throws: ``RouteError`` unless all limits are positive.
    func validate() throws(RouteError) {
        for (limits, name) in [
            (horizontal, "horizontal"), (ascending, "ascending"), (descending, "descending"), (heading, "heading"),
        ] {
            for (value, what) in [
                (limits.speed, "speed"), (limits.acceleration, "acceleration"), (limits.jerk, "jerk"),
            ] where !(value.isFinite && value > 0) {
                throw RouteError(
                    .options, "the vehicle's \(name) \(what) limit is \(value); expected a positive number")
            }
        }
    }
}
