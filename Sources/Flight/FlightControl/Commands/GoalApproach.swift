internal import UAVLink

/// Watches the flight to a goal: a vehicle that turns away from it was given another one.
///
/// The tracker reports only that it has a goal, not which. On the way to its goal the distance to it decreases, after a first
/// moment in which the vehicle may still fly elsewhere; it grows again only if the goal is another one.
struct GoalApproach {
    /// The nearest place so far: where the goal was replaced, if it was.
    private struct Nearest {
        var deviation: GoalPlace.Deviation
        var positionMetres: Vector3
    }

    /// A flight to a place that is not known, from standing still: it moves away from where it began, and never back.
    private struct Departure {
        let start: Vector3
        /// Of length 1; `nil` before the vehicle has left.
        var direction: Vector3?
        /// Metres along ``direction``, and where that was.
        var farthest = 0.0
        var positionMetres: Vector3
    }

    private let place: GoalPlace?
    private var nearest: Nearest?
    private var farthest = -Double.infinity
    private var hasApproached = false
    private var hasLeft = false
    private var departure: Departure?
    /// Until then the vehicle may still lose the speed that it had when the command was given; `nil` before the first pose.
    private var settled: MonotonicTime?

    /// Metres, and radians, that count as having come closer.
    private static let approachMetres = 0.5
    private static let approachRadians = 0.3
    /// The speed away from the goal that no wind and no estimator explains, metres per second, and the distance beyond the
    /// nearest place in which it is confirmed, metres.
    private static let awaySpeed = 0.3
    private static let awayMetres = 0.3
    /// The same without a measured speed, and where the goal is not known: jumps of the estimator are smaller.
    private static let awayMetresAlone = 1.0
    private static let awayRadians = 0.5
    /// How far the vehicle has gone before its direction is taken, metres.
    private static let departureMetres = 1.0
    /// A vehicle that is faster when the command is given may first fly elsewhere, or past its goal, metres per second.
    private static let standingStill = 0.25
    /// The slowest of the flight stack's constraint sets brakes with 1 m/s2, after the command's own delay.
    private static let brakingSecondsPerSpeed = 1.0
    private static let brakingDelaySeconds = 0.5
    /// The speed that is assumed if none is measured, and the greatest one, metres per second.
    private static let speedAlone = 4.0
    private static let greatestSpeed = 20.0

    /// - Parameter place: where the command leads; `nil` if that is not known.
    init(to place: GoalPlace?) { self.place = place }

    /// Takes the next pose.
    ///
    /// - Parameter velocity: metres per second in world axes, if known.
    /// - Returns: whether the vehicle has turned away from the goal.
    mutating func turnsAway(at pose: Sample<Pose>, velocity: Vector3?) -> Bool {
        let position = pose.value.positionMetres
        guard let deviation = place?.deviation(at: pose.value, velocity: velocity) else {
            return turnsBack(position, velocity)
        }
        guard deviation.amount.isFinite else { return false }
        let now = Nearest(deviation: deviation, positionMetres: position)
        let settled = settled ?? pose.at + Self.braking(from: velocity?.length ?? Self.speedAlone)
        self.settled = settled
        guard let last = nearest, pose.at >= settled else {
            (nearest, farthest) = (now, deviation.amount)
            return false
        }
        if deviation.amount < last.deviation.amount { nearest = now }
        guard hasApproached else {
            farthest = max(farthest, deviation.amount)
            let least = deviation.measure == .heading ? Self.approachRadians : Self.approachMetres
            hasApproached = deviation.amount <= farthest - least
            // Where it flew before it came closer is not where it turns away.
            if hasApproached { nearest = now }
            return false
        }
        return Self.isAway(deviation, beyond: max(last.deviation.amount, deviation.tolerance))
    }

    private static func braking(from speed: Double) -> Duration {
        guard speed >= standingStill else { return .zero }
        return .seconds(min(speed, greatestSpeed) * brakingSecondsPerSpeed + brakingDelaySeconds)
    }

    private static func isAway(_ deviation: GoalPlace.Deviation, beyond nearest: Double) -> Bool {
        let beyond = deviation.amount - nearest
        if deviation.measure == .heading { return beyond > awayRadians }
        guard let speed = deviation.awayMetresPerSecond else { return beyond > awayMetresAlone }
        return beyond > awayMetres && speed > awaySpeed
    }

    private mutating func turnsBack(_ position: Vector3, _ velocity: Vector3?) -> Bool {
        guard hasLeft else {
            hasLeft = true
            if let velocity, velocity.length < Self.standingStill {
                departure = Departure(start: position, positionMetres: position)
            }
            return false
        }
        guard var now = departure, let velocity else { return false }
        defer { departure = now }
        let way = position - now.start
        guard let direction = now.direction else {
            if way.length >= Self.departureMetres { now.direction = way * (1 / way.length) }
            return false
        }
        let along = way.dot(direction)
        if along >= now.farthest { (now.farthest, now.positionMetres) = (along, position) }
        return now.farthest - along > Self.awayMetresAlone && velocity.dot(direction) < -Self.awaySpeed
    }

    /// Why the goal was not reached, after the vehicle has turned away or holds elsewhere.
    ///
    /// - Parameter pose: the newest one.
    func failure(at pose: Pose) -> String {
        if let departure, departure.direction != nil {
            return "not reached: replaced at \(departure.positionMetres.placeText), where it turned back"
        }
        guard let nearest else { return "not reached: the vehicle is at \(pose.positionMetres.placeText)" }
        let place = nearest.positionMetres.placeText
        guard !nearest.deviation.isReached else { return "not reached: flown past at \(place) to another goal" }
        return "not reached: replaced at \(place), \(nearest.deviation.text)"
    }
}
