internal import FlightControl
public import UAVLink

/// Where a vehicle must be by now, from what it last said and what it was told since.
///
/// With the last confirmed position p and velocity v, their age t, the commanded velocity c and the acceleration a with
/// which the vehicle follows (the slew limiter's), its velocity goes from v towards c in the time T = |c - v| / a:
///
/// ```
///   t <= T    p + v t + (c - v) t^2 / (2 T)
///   t >  T    p + v T + (c - v) T / 2 + c (t - T)
/// ```
///
/// Without a commanded velocity (nobody here steers) c is v. The way of the command to the vehicle is left out: it is
/// shorter than what a person sees.
public struct Prediction: Hashable, Sendable {
    /// Beyond this age nothing is foretold: whatever the vehicle does by then, a formula does not know it.
    public static let longest: Duration = .seconds(5)

    /// Where it must be, metres, in the frame of the last confirmed position.
    public var positionMetres: Vector3
    /// How old the position is that it was told from.
    public var age: Duration

    /// What follows from the last telemetry; `nil` without a position, or with one older than ``longest``.
    ///
    /// - Parameters:
    ///   - commanded: world axes, metres per second; `nil` when nobody here steers.
    ///   - acceleration: how fast the vehicle follows, m/s2.
    public init?(
        _ telemetry: Telemetry?, commanded: Vector3?,
        acceleration: Double = SlewLimiter.Limits().horizontalAcceleration,
        now: MonotonicTime
    ) {
        guard let telemetry, let pose = telemetry.pose else { return nil }
        let age = max(now - pose.at, .zero)
        guard age <= Self.longest else { return nil }
        self.age = age
        let v = telemetry.velocityMetresPerSecond?.value ?? .zero
        let (c, t) = (commanded ?? v, age.inSeconds)
        let change = c - v
        let needed = acceleration > 0 ? change.length / acceleration : 0
        let p = pose.value.positionMetres
        if needed == 0 || t > needed {
            positionMetres = p + v * needed + change * (needed / 2) + c * (t - needed)
        } else {
            positionMetres = p + v * t + change * (t * t / (2 * needed))
        }
    }
}

extension Vector3 {
    /// This vector of a body frame without tilt in world axes.
    func turned(byHeading radians: Double) -> Vector3 {
        let (sine, cosine) = (Angles.sine(radians), Angles.cosine(radians))
        return Vector3(x: x * cosine - y * sine, y: x * sine + y * cosine, z: z)
    }
}
