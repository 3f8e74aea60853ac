internal import FlightControl
package import UAVLink

/// The predicted current position of a vehicle, from its last telemetry and the velocity commanded since.
///
/// With the last confirmed position p and velocity v, their age t, the commanded velocity c and the vehicle's acceleration a
/// (the slew limiter's), the velocity changes from v to c within the time T = |c - v| / a:
///
/// ```
///   t <= T    p + v t + (c - v) t^2 / (2 T)
///   t >  T    p + v T + (c - v) T / 2 + c (t - T)
/// ```
///
/// Without a commanded velocity (no steering from here), c is v. The delay of commands on the link is neglected: it is too
/// short to be seen.
package struct Prediction: Hashable, Sendable {
    /// The largest age of a position that is extrapolated.
    package static let longest: Duration = .seconds(5)

    /// The predicted position, metres, in the frame of the last confirmed position.
    package var positionMetres: Vector3
    /// Age of the position that the prediction starts from.
    package var age: Duration

    /// Predicts from the last telemetry; `nil` without a position, or with one older than ``longest``.
    ///
    /// - Parameters:
    ///   - commanded: velocity in world axes, metres per second; `nil` without steering from here.
    ///   - acceleration: acceleration towards `commanded`, m/s2.
    package init?(
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
    /// Rotates this vector from a level body frame into world axes.
    func turned(byHeading radians: Double) -> Vector3 {
        let (sine, cosine) = (Angles.sine(radians), Angles.cosine(radians))
        return Vector3(x: x * cosine - y * sine, y: x * sine + y * cosine, z: z)
    }
}
