internal import UAVLink

/// A change of speed along a line with bounded acceleration and jerk, and zero acceleration at both ends.
///
/// Three phases: jerk, constant acceleration (may be empty), opposite jerk.
struct SpeedRamp: Hashable {
    let startSpeed: Double
    let endSpeed: Double
    /// Signed.
    private let jerk: Double
    /// Duration of each jerk phase, seconds.
    private let jerkTime: Double
    let duration: Double

    init(from startSpeed: Double, to endSpeed: Double, limits: MotionLimits.Limits) {
        self.startSpeed = startSpeed
        self.endSpeed = endSpeed
        let change = (endSpeed - startSpeed).magnitude
        let jerk = limits.jerk
        if change <= limits.acceleration * limits.acceleration / jerk {
            jerkTime = (change / jerk).squareRoot()
            duration = 2 * jerkTime
        } else {
            jerkTime = limits.acceleration / jerk
            duration = change / limits.acceleration + jerkTime
        }
        self.jerk = endSpeed >= startSpeed ? jerk : -jerk
    }

    /// The mean of the two speeds times the duration, by symmetry.
    var distance: Double { (startSpeed + endSpeed) / 2 * duration }

    /// Distance covered after a time.
    func distance(at time: Double) -> Double {
        if time <= 0 { return 0 }
        if time >= duration { return distance }
        if time <= jerkTime { return startSpeed * time + jerk * time * time * time / 6 }
        let left = duration - time
        if left <= jerkTime { return distance - (endSpeed * left - jerk * left * left * left / 6) }
        let since = time - jerkTime
        let speed = startSpeed + jerk * jerkTime * jerkTime / 2
        let before = startSpeed * jerkTime + jerk * jerkTime * jerkTime * jerkTime / 6
        return before + speed * since + jerk * jerkTime * since * since / 2
    }

    /// The highest end speed, from `start` up to `most`, for which `fits` holds.
    ///
    /// - Parameter fits: true for `start`, and false above some speed.
    static func greatestSpeed(from start: Double, upTo most: Double, fits: (Double) -> Bool) -> Double {
        if most <= start || fits(most) { return max(start, most) }
        var low = start
        var high = most
        // 50 bisections: 1e-15 of the range.
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if fits(middle) { low = middle } else { high = middle }
        }
        return low
    }
}

/// Motion along a line: accelerate, cruise, decelerate; with bounded speed, acceleration and jerk.
struct LineProfile: Hashable {
    let distance: Double
    let peakSpeed: Double
    let duration: Double
    private let up: SpeedRamp
    private let down: SpeedRamp
    private let cruiseTime: Double

    /// - Parameter distance: at least what the change from `startSpeed` to `endSpeed` needs.
    init(distance: Double, from startSpeed: Double = 0, to endSpeed: Double = 0, limits: MotionLimits.Limits) {
        self.distance = distance
        let least = max(startSpeed, endSpeed)
        let peak = SpeedRamp.greatestSpeed(from: least, upTo: max(least, limits.speed)) { speed in
            SpeedRamp(from: startSpeed, to: speed, limits: limits).distance
                + SpeedRamp(from: speed, to: endSpeed, limits: limits).distance <= distance
        }
        up = SpeedRamp(from: startSpeed, to: peak, limits: limits)
        down = SpeedRamp(from: peak, to: endSpeed, limits: limits)
        peakSpeed = peak
        let left = max(0, distance - up.distance - down.distance)
        cruiseTime = peak > 0 ? left / peak : 0
        duration = up.duration + cruiseTime + down.duration
    }

    /// Distance covered after a time.
    func distance(at time: Double) -> Double {
        if time <= up.duration { return up.distance(at: time) }
        if time <= up.duration + cruiseTime { return up.distance + peakSpeed * (time - up.duration) }
        if time >= duration { return distance }
        return distance - down.distance + down.distance(at: time - up.duration - cruiseTime)
    }
}
