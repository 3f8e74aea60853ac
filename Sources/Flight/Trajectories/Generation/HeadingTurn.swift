internal import UAVLink

/// A turn from rest to rest within the limits, stretched to the available time.
struct HeadingTurn {
    let from: Double
    let angle: Double
    let start: Double
    let duration: Double
    private let profile: LineProfile

    /// - Parameter duration: at least ``shortest(_:limits:)``; a smaller value is raised to it.
    init(from: Double, angle: Double, start: Double, duration: Double = 0, limits: MotionLimits.Limits) {
        self.from = from
        self.angle = angle
        self.start = start
        profile = LineProfile(distance: angle.magnitude, limits: limits)
        self.duration = max(duration, profile.duration)
    }

    /// Shortest duration of a turn, seconds.
    static func shortest(_ angle: Double, limits: MotionLimits.Limits) -> Double {
        LineProfile(distance: angle.magnitude, limits: limits).duration
    }

    func heading(at time: Double) -> Double {
        guard duration > 0 else { return from + angle }
        let turned = profile.distance(at: (time - start) * profile.duration / duration)
        return from + (angle < 0 ? -max(0, turned) : max(0, turned))
    }
}
