#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import UAVLink

/// How motion approaches its reference.
enum Approach {
    /// Seconds to close 63 % of a velocity error: short compared to the limits of motion (2 m/s^2 reach 4 m/s in 2 s),
    /// long compared to the tracker's period of 10 ms.
    static let velocityLag = 0.12
    /// 1/s: close to the goal, speed is proportional to the remaining distance. With the lag above the damping is 1.02,
    /// so there is no overshoot.
    static let gain = 2.0
    /// Share of the acceleration limit planned for braking; the rest is a reserve for the lags. Fitted to the real
    /// stack's times: 5 m in 4 s, 45 m in 14 s.
    static let brakingShare = 0.6

    /// The speed from which the vehicle can stop within `way`: the root of `v^2 = 2 a d`, linear near the goal.
    static func speed(way: Double, acceleration: Double) -> Double {
        let braking = acceleration * brakingShare
        let linear = braking / (gain * gain)
        return way <= linear ? gain * way : (2 * braking * (way - linear / 2)).squareRoot()
    }

    /// The acceleration towards a velocity that is `error` away: proportional, but limited so that it can be reduced to
    /// zero within the jerk limit before the error is closed.
    static func acceleration(error: Double, limit: Double, jerk: Double) -> Double {
        min(error / velocityLag, limit, (jerk * error).squareRoot())
    }

    /// The velocity gained while an acceleration is reduced to zero by `jerk * step` per step.
    static func coasting(acceleration: Double, jerk: Double, step: Double) -> Double {
        let less = jerk * step
        let steps = (acceleration / less).rounded(.down)
        return step * (steps * acceleration - less * steps * (steps + 1) / 2)
    }
}

/// Motion along one axis within limits of speed, acceleration and jerk, which differ by direction.
struct LineMotion: Hashable, Sendable {
    var position: Double
    var velocity = 0.0
    private(set) var acceleration = 0.0

    init(position: Double) { self.position = position }

    /// Moves towards a velocity for one step.
    mutating func step(towards wanted: Double, up: MotionLimits.Limits, down: MotionLimits.Limits, seconds: Double) {
        let goal = min(max(wanted, -down.speed), up.speed)
        let error = goal - velocity
        let limits = error >= 0 ? up : down
        let size = Approach.acceleration(error: abs(error), limit: limits.acceleration, jerk: limits.jerk)
        let change = limits.jerk * seconds
        let aim = error >= 0 ? size : -size
        let candidate = acceleration + min(max(aim - acceleration, -change), change)
        let calm = acceleration >= 0 ? max(0, acceleration - change) : min(0, acceleration + change)
        // The speed once the acceleration has been reduced to zero, which must be within the limit; a speed above it,
        // from wider limits before, decreases.
        func ends(_ a: Double) -> Double {
            let more = Approach.coasting(acceleration: abs(a), jerk: limits.jerk, step: seconds)
            return velocity + a * seconds + (a >= 0 ? more : -more)
        }
        let now = ends(calm)
        let (top, bottom) = (max(up.speed, now), min(-down.speed, now))
        var chosen = candidate
        if ends(candidate) > top || ends(candidate) < bottom {
            var (good, bad) = (calm, candidate)
            for _ in 0..<24 {
                let middle = (good + bad) / 2
                if ends(middle) <= top, ends(middle) >= bottom { good = middle } else { bad = middle }
            }
            chosen = good
        }
        acceleration = chosen
        velocity += chosen * seconds
        position += velocity * seconds
    }

    /// Moves towards a position for one step; `feedforward` is the goal's own velocity, `bend` its acceleration.
    mutating func step(
        to goal: Double, feedforward: Double = 0, bend: Double = 0, up: MotionLimits.Limits, down: MotionLimits.Limits,
        seconds: Double
    ) {
        let way = goal - position
        // Braking on the way up uses the downward acceleration limit, and vice versa.
        let speed = Approach.speed(way: abs(way), acceleration: (way >= 0 ? down : up).acceleration)
        let ahead = min(max(bend, -down.acceleration), up.acceleration) * Approach.velocityLag
        step(towards: feedforward + ahead + (way >= 0 ? speed : -speed), up: up, down: down, seconds: seconds)
    }
}

/// Motion in the plane within limits of speed, acceleration and jerk in any direction.
struct PlaneMotion: Hashable, Sendable {
    var position: SIMD2<Double>
    var velocity = SIMD2<Double>.zero
    private(set) var acceleration = SIMD2<Double>.zero

    init(position: SIMD2<Double>) { self.position = position }

    /// Moves towards a velocity for one step.
    mutating func step(towards wanted: SIMD2<Double>, limits: MotionLimits.Limits, seconds: Double) {
        let goal = wanted.shortened(to: limits.speed)
        let error = goal - velocity
        let size = Approach.acceleration(error: error.length, limit: limits.acceleration, jerk: limits.jerk)
        let change = limits.jerk * seconds
        let aim = error.length > 0 ? error * (size / error.length) : .zero
        let candidate = acceleration + (aim - acceleration).shortened(to: change)
        let calm = acceleration.shortened(to: max(0, acceleration.length - change))
        func ends(_ a: SIMD2<Double>) -> Double {
            let size = a.length
            let more = size > 0 ? Approach.coasting(acceleration: size, jerk: limits.jerk, step: seconds) / size : 0
            return (velocity + a * (seconds + more)).length
        }
        let top = max(limits.speed, ends(calm))
        var chosen = candidate
        if ends(candidate) > top {
            var (good, bad) = (calm, candidate)
            for _ in 0..<24 {
                let middle = (good + bad) / 2
                if ends(middle) <= top { good = middle } else { bad = middle }
            }
            chosen = good
        }
        acceleration = chosen
        velocity += chosen * seconds
        position += velocity * seconds
    }

    /// Moves towards a position for one step; `feedforward` is the goal's own velocity, `bend` its acceleration, which
    /// is converted to the velocity that produces it through the lag.
    mutating func step(
        to goal: SIMD2<Double>, feedforward: SIMD2<Double> = .zero, bend: SIMD2<Double> = .zero,
        limits: MotionLimits.Limits, seconds: Double
    ) {
        let way = goal - position
        let distance = way.length
        let speed = Approach.speed(way: distance, acceleration: limits.acceleration)
        let towards = distance > 0 ? way * (speed / distance) : .zero
        let ahead = bend.shortened(to: limits.acceleration) * Approach.velocityLag
        step(towards: feedforward + ahead + towards, limits: limits, seconds: seconds)
    }
}

extension SIMD2<Double> {
    var length: Double { (x * x + y * y).squareRoot() }

    func shortened(to limit: Double) -> Self {
        let length = length
        return length > limit ? self * (limit / length) : self
    }
}
