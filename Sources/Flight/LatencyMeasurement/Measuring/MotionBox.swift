internal import Synchronization
internal import UAVLink

/// Where a vehicle may be while it is moved to measure: around the place where it was before the first push.
final class MotionBox: Sendable {
    /// Metres per second of a push: enough to be seen above an estimator's noise.
    static let speed = 0.5
    /// How long one lasts.
    static let push: Duration = .milliseconds(600)
    /// Metres to each side that the vehicle stays within: a push of 0.3 m, which goes on for half a second when the link dies, and
    /// the way to brake (0.6 m in all), from a place up to 0.3 m off.
    static let reachMetres = 1.0
    /// A push begins no farther than this from where the first one began, metres.
    private static let startMetres = 0.3

    /// What is asked before the vehicle is moved; one line.
    static let words =
        "pushed forward at 0.5 m/s for 0.6 s (0.3 m) and flown back to where it was, with each link and condition, and "
        + "stopped when it is more than 1 m from where it hovers now: a metre must be free around it"

    private let home = Mutex<Pose?>(nil)

    /// Where a push from this place ends up again; `nil` when the vehicle is too far from there, or its frame is another.
    func begin(at pose: Pose) -> Pose? {
        home.withLock { home in
            let start = home ?? pose
            guard Self.distance(pose, start) <= Self.startMetres else { return nil }
            home = start
            return start
        }
    }

    /// Whether the vehicle is still inside of it.
    func holds(_ pose: Pose) -> Bool {
        guard let home = home.withLock({ $0 }) else { return true }
        return Self.distance(pose, home) <= Self.reachMetres
    }

    /// Whether the vehicle is where the next push can begin.
    func isHome(_ pose: Pose) -> Bool {
        guard let home = home.withLock({ $0 }) else { return true }
        return Self.distance(pose, home) <= Self.arrivedMetres
    }

    /// A hovering vehicle stays this close to its goal, metres.
    private static let arrivedMetres = 0.1

    /// In another frame it could be anywhere.
    private static func distance(_ pose: Pose, _ other: Pose) -> Double {
        pose.frame == other.frame ? (pose.positionMetres - other.positionMetres).length : .infinity
    }
}
