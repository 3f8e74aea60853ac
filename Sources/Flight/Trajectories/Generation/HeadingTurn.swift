internal import UAVLink

/// A turn from rest to rest within the limits, stretched to the available time.
struct HeadingTurn {
    let from: Double
    let angle: Double
    let start: Double
    let duration: Double
    private let profile: LineProfile

    /// - Parameter duration: seconds; raised to the shortest duration within the limits.
    init(from: Double, angle: Double, start: Double, duration: Double = 0, limits: MotionLimits.Limits) {
        self.from = from
        self.angle = angle
        self.start = start
        profile = LineProfile(distance: angle.magnitude, limits: limits)
        self.duration = max(duration, profile.duration)
    }

    func heading(at time: Double) -> Double {
        guard duration > 0 else { return from + angle }
        let turned = profile.distance(at: (time - start) * profile.duration / duration)
        return from + (angle < 0 ? -max(0, turned) : max(0, turned))
    }
}
