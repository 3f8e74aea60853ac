internal import Trajectories
package import UAVLink

/// Whether the vehicle is where a flight along its route begins.
///
/// The flight stack moves its reference along the trajectory from the first moment on, wherever the vehicle is (seen on the real one):
/// from afar the vehicle cuts across to the moving reference, on a way that no check has seen.
extension RouteFlightController {
    /// Why the vehicle would not fly along its route from where it is; `nil` if it would, or if its position is not known.
    func misplacement(for action: RouteAction) -> TrajectoryFlightFailure? {
        guard let held, let vehicle = flight.vehiclePosition else { return nil }
        switch action {
        case .start:
            guard let first = held.plan.generated.trajectory.points.first else { return nil }
            let metres = (first.position - vehicle).length
            return metres > Self.startMetres ? .farFromStart(metres: metres) : nil
        case .resume:
            guard let remaining else { return nil }
            let metres = (remaining.position - vehicle).length
            return metres > Self.startMetres + Self.stoppingMetres(held.plan) ? .farFromStop(metres: metres) : nil
        case .send, .goToStart, .stop: return nil
        }
    }

    /// Where the vehicle is, metres in `world_origin`, if that is where the route that it holds begins; `nil` elsewhere, or if its position
    /// is not known.
    package var positionAtStart: Vector3? {
        guard held != nil, let vehicle = flight.vehiclePosition, misplacement(for: .start) == nil else { return nil }
        return vehicle
    }

    /// The distance from the first sample that counts as there: as that from the last.
    private static let startMetres = 1.0

    /// The way on which a stop brings the vehicle to rest, metres: v²/2a, doubled for the limited jerk and the delay of the link.
    private static func stoppingMetres(_ plan: TrajectoryPlan) -> Double {
        let limits = (plan.conditions.limits ?? .medium).horizontal
        let speed = min(plan.conditions.settings.options.cruiseSpeed ?? limits.speed, limits.speed)
        return limits.acceleration > 0 ? speed * speed / limits.acceleration : 0
    }
}
