#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif
internal import ReportKit
internal import UAVLink

/// Looking at a place while flying by: how much slower a span must be flown for the nose to keep up.
struct PlaceHeading {
    let x: Double
    let y: Double

    /// Nearer than this the heading towards a place says nothing, metres.
    static let nearest = 0.05
    /// A span is not slowed down by more than this: the path runs over the place.
    static let greatestSlowness = 50.0

    func heading(from position: Vector3) -> Double { atan2(y - position.y, x - position.x) }

    func distance(from position: Vector3) -> Double {
        let (eastward, northward) = (x - position.x, y - position.y)
        return (eastward * eastward + northward * northward).squareRoot()
    }

    /// The least slowness, at least 1, and how far the nose turns in all; `nil` when the path runs over the place.
    func follow(_ motion: SpanMotion, limits: MotionLimits.Limits) -> (slowness: Double, turned: Double)? {
        var nearest = Double.infinity
        var cursor = 0
        let coarse = max(8, Int(saturating: min(motion.duration / 0.02, 200_000)))
        for index in 0...coarse {
            let time = motion.duration * Double(index) / Double(coarse)
            nearest = min(nearest, distance(from: motion.position(at: time, cursor: &cursor)))
        }
        guard nearest >= Self.nearest else { return nil }
        // An eighth of the time in which the bearing changes, so that the differences see the change.
        let step = min(0.01, nearest / max(motion.peakSpeed, 1e-3) / 8)
        let count = max(8, Int(saturating: min(motion.duration / step, 2_000_000)))
        let timeStep = motion.duration / Double(count)
        guard timeStep > 0 else { return (1, 0) }
        var (turned, rate, acceleration) = (0.0, 0.0, 0.0)
        var slowness = 1.0
        cursor = 0
        var last = heading(from: motion.position(at: 0, cursor: &cursor))
        for index in 1...count {
            let now = heading(from: motion.position(at: Double(index) * timeStep, cursor: &cursor))
            let change = Heading.wrapped(now - last)
            let newRate = change / timeStep
            let newAcceleration = (newRate - rate) / timeStep
            let jerk = (newAcceleration - acceleration) / timeStep
            slowness = max(
                slowness, newRate.magnitude / limits.speed,
                (newAcceleration.magnitude / limits.acceleration).squareRoot(), cbrt(jerk.magnitude / limits.jerk))
            turned += change
            (last, rate, acceleration) = (now, newRate, newAcceleration)
        }
        // A twentieth for what the differences did not see.
        if slowness > 1 { slowness *= 1.05 }
        return slowness <= Self.greatestSlowness ? (slowness, turned) : nil
    }
}
