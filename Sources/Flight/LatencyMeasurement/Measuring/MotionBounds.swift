internal import ReportKit
internal import Synchronization
internal import UAVLink

/// The limits for a vehicle that is moved for the measurement, which the user has confirmed: a sphere around its
/// position before the first push.
final class MotionBounds: Sendable {
    /// Speed of a push, metres per second: enough to be visible above an estimator's noise.
    static let speed = 0.5
    /// How long a push lasts.
    static let push: Duration = .milliseconds(600)
    /// Largest distance from the first position unless told otherwise, and the least that can be: a push of 0.3 m,
    /// which continues for half a second after link loss, and the braking distance (0.6 m in all), from a start up to
    /// 0.3 m off.
    static let reachMetres = 1.0
    /// Largest distance of a push's start from the first start, metres.
    private static let startMetres = 0.3

    /// The question before the vehicle is moved; one line.
    static func words(pushes: Int, boxMetres: Double) -> String {
        let box = boxMetres.formatted(decimals: boxMetres == boxMetres.rounded() ? 0 : 1)
        let times = pushes == 1 ? "once" : "\(pushes) times"
        let direction = pushes == 1 ? "forward" : "forward and backward in turn"
        return "pushed \(direction) at 0.5 m/s for 0.6 s (0.3 m), \(times) with each link and condition, "
            + "flown back after each push, and stopped when it is more than \(box) m from its current position: "
            + "keep \(box) m around it free"
    }

    private let home = Mutex<Pose?>(nil)
    private let reach: Double

    /// - Parameter reachMetres: the largest distance from the first position.
    init(reachMetres: Double = MotionBounds.reachMetres) { reach = reachMetres }

    /// The position to return to after a push from this pose; `nil` when the vehicle is too far from it, or in another
    /// frame.
    func begin(at pose: Pose) -> Pose? {
        home.withLock { home in
            let start = home ?? pose
            guard Self.distance(pose, start) <= Self.startMetres else { return nil }
            home = start
            return start
        }
    }

    /// Whether the vehicle is still within the limits.
    func holds(_ pose: Pose) -> Bool {
        guard let home = home.withLock({ $0 }) else { return true }
        return Self.distance(pose, home) <= reach
    }

    /// Whether the vehicle is where the next push can begin.
    func isHome(_ pose: Pose) -> Bool {
        guard let home = home.withLock({ $0 }) else { return true }
        return Self.distance(pose, home) <= Self.arrivedMetres
    }

    /// A hovering vehicle stays this close to its goal, metres.
    private static let arrivedMetres = 0.1

    /// Distance, metres; infinite between different frames.
    private static func distance(_ pose: Pose, _ other: Pose) -> Double {
        pose.frame == other.frame ? (pose.positionMetres - other.positionMetres).length : .infinity
    }
}
