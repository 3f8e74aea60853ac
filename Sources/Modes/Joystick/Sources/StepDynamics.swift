internal import ReportKit
internal import UAVLink

/// How long full stick must be held so that the distance to standstill has a given length.
///
/// From speed u the slew limiter accelerates at a to a peak p, at most the limit v, and decelerates at b afterwards:
///
/// ```
///   length = (p^2 - u^2) / 2a  +  p t  +  p^2 / 2b        t: time at p, only where p is the limit
/// ```
struct StepDynamics {
    let length: Double
    let limit: Double
    let acceleration: Double
    let braking: Double

    /// The time to hold full stick from a start speed; zero when braking alone covers the length.
    func hold(from speed: Double) -> Duration {
        guard limit > 0, acceleration > 0, braking > 0, length > 0 else { return .zero }
        guard speed * speed / (2 * braking) < length else { return .zero }
        let peak =
            (2 * (length + speed * speed / (2 * acceleration)) * acceleration * braking / (acceleration + braking))
            .squareRoot()
        if peak <= limit { return .nanoseconds(Int64(saturating: max(0, peak - speed) / acceleration * 1e9)) }
        // Above the limit (it was lowered): braking down to it is counted as travel at the limit.
        let rise = max(0, limit - speed)
        let riseWay = max(0, limit * limit - speed * speed) / (2 * acceleration)
        let left = length - riseWay - limit * limit / (2 * braking)
        return .nanoseconds(Int64(saturating: (rise / acceleration + max(0, left) / limit) * 1e9))
    }

    /// The speed at a time after the start of a step.
    func speed(begin: Double, held: Duration, after: Duration) -> Double {
        let pushed = min(max(limit, begin), begin + acceleration * min(held, after).inSeconds)
        return max(0, pushed - braking * max(.zero, after - held).inSeconds)
    }
}
