package import FlightControl
package import Geodesy
internal import ReportKit
internal import Trajectories
package import UAVLink

extension TrajectoryPlan {
    /// Where it begins; `nil` for one without samples.
    ///
    /// - Parameter session: where frames lie.
    package func start(in session: WorldSession?) -> KnownDestination? {
        let world = WorldPosition(session: session)
        return generated.trajectory.points.first.map { first in
            KnownDestination(positionMetres: first.position) { world.position(of: $0) }
        }
    }

    /// How long its flight is waited for: a vehicle that cannot keep up takes longer.
    package var flightTimeout: Duration { .seconds(2 * report.durationSeconds + 60) }
}

extension RouteFlightEnd {
    /// Why the trajectory was not flown to its end, in one line; `nil` if it was.
    ///
    /// - Parameters:
    ///   - position: where the vehicle is, metres; `nil` if that is not known.
    ///   - state: what the vehicle does.
    package func problem(at position: Vector3?, _ state: FlightState = .unknown) -> String? {
        switch self {
        case .flown: return nil
        case .stopped(let fraction):
            let place = position.map { at in
                " at " + [at.x, at.y, at.z].map { $0.formatted(decimals: 1) }.joined(separator: " ")
            }
            let reason: String =
                switch state {
                case .emergency: ": the vehicle is in an emergency"
                case .landing: ": the vehicle lands"
                case .disarmed: ": the motors are off"
                case .unknown, .armed, .takingOff, .flying: ""
                }
            return
                "the trajectory was stopped\(place ?? "") after \((fraction * 100).formatted(decimals: 0)) %\(reason)"
        case .astray(let metres):
            return
                "the vehicle did not fly along this trajectory: it was \(metres.formatted(decimals: 1)) m away from it; "
                + "another one may be loaded"
        case .notFollowed: return "the start was accepted, but the vehicle does not follow the trajectory"
        case .notEnded: return "the trajectory did not end in time"
        }
    }
}
