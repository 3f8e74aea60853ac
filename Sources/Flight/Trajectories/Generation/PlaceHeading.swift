#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif
internal import ReportKit
internal import UAVLink

/// Looking at a place while flying past: how much a span must be slowed down for the heading to follow.
struct PlaceHeading {
    let x: Double
    let y: Double

    /// Closer than this the heading towards the place is meaningless, metres.
    static let nearest = 0.05
    /// Largest slowdown of a span; beyond it the path is taken to pass over the place.
    static let maximumSlowdownFactor = 50.0

    func heading(from position: Vector3) -> Double { atan2(y - position.y, x - position.x) }

    func distance(from position: Vector3) -> Double {
        let (eastward, northward) = (x - position.x, y - position.y)
        return (eastward * eastward + northward * northward).squareRoot()
    }

    /// The least slowdown factor, at least 1, and the total turn, radians; `nil` if the path passes over the place.
    func follow(_ motion: SpanMotion, limits: MotionLimits.Limits) -> (slowdownFactor: Double, turned: Double)? {
        var nearest = Double.infinity
        var cursor = 0
        let coarse = max(8, Int(saturating: min(motion.duration / 0.02, 200_000)))
        for index in 0...coarse {
            let time = motion.duration * Double(index) / Double(coarse)
            nearest = min(nearest, distance(from: motion.position(at: time, cursor: &cursor)))
        }
        guard nearest >= Self.nearest else { return nil }
        // An eighth of the time in which the bearing changes, so that the differences resolve it.
        let step = min(0.01, nearest / max(motion.peakSpeed, 1e-3) / 8)
        let count = max(8, Int(saturating: min(motion.duration / step, 2_000_000)))
        let timeStep = motion.duration / Double(count)
        guard timeStep > 0 else { return (1, 0) }
        var (turned, rate, acceleration) = (0.0, 0.0, 0.0)
        var slowdownFactor = 1.0
        cursor = 0
        var last = heading(from: motion.position(at: 0, cursor: &cursor))
        for index in 1...count {
            let now = heading(from: motion.position(at: Double(index) * timeStep, cursor: &cursor))
            let change = Heading.wrapped(now - last)
            let newRate = change / timeStep
            let newAcceleration = (newRate - rate) / timeStep
            let jerk = (newAcceleration - acceleration) / timeStep
            slowdownFactor = max(
                slowdownFactor, newRate.magnitude / limits.speed,
                (newAcceleration.magnitude / limits.acceleration).squareRoot(), cbrt(jerk.magnitude / limits.jerk))
            turned += change
            (last, rate, acceleration) = (now, newRate, newAcceleration)
        }
        // Adds 5 % for what the differences do not resolve.
        if slowdownFactor > 1 { slowdownFactor *= 1.05 }
        return slowdownFactor <= Self.maximumSlowdownFactor ? (slowdownFactor, turned) : nil
    }
}
