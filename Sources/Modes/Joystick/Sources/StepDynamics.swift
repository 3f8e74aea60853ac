internal import ReportKit
internal import UAVLink

/// How long full stick must be asked for so that the way until standing still is of a given length.
///
/// From speed u the slew limiter speeds up at a to a peak p, at most the limit v, and slows down at b afterwards:
///
/// ```
///   length = (p^2 - u^2) / 2a  +  p t  +  p^2 / 2b        t: time at p, only where p is the limit
/// ```
struct StepDynamics {
    let length: Double
    let limit: Double
    let acceleration: Double
    let braking: Double

    /// The time to ask for full stick, beginning at a speed; none where braking alone takes the whole way.
    func hold(from speed: Double) -> Duration {
        guard limit > 0, acceleration > 0, braking > 0, length > 0 else { return .zero }
        guard speed * speed / (2 * braking) < length else { return .zero }
        let peak =
            (2 * (length + speed * speed / (2 * acceleration)) * acceleration * braking / (acceleration + braking))
            .squareRoot()
        if peak <= limit { return .nanoseconds(Int64(saturating: max(0, peak - speed) / acceleration * 1e9)) }
        // Above the limit already (it was lowered): braking to it comes first and is counted as the way at it.
        let rise = max(0, limit - speed)
        let riseWay = max(0, limit * limit - speed * speed) / (2 * acceleration)
        let left = length - riseWay - limit * limit / (2 * braking)
        return .nanoseconds(Int64(saturating: (rise / acceleration + max(0, left) / limit) * 1e9))
    }

    /// The speed a while after a step began.
    func speed(begin: Double, held: Duration, after: Duration) -> Double {
        let pushed = min(max(limit, begin), begin + acceleration * min(held, after).inSeconds)
        return max(0, pushed - braking * max(.zero, after - held).inSeconds)
    }
}
