internal import FlightControl
internal import RouteFlight
internal import Trajectories
package import UAVLink

/// Where the selected vehicle is.
extension IndoorInteractor {
    /// The selected vehicle; `nil` when its position is not known.
    package var vehicle: IndoorVehicle? {
        guard let pose = fleet.selected?.link.latestTelemetry?.pose,
            let position = WorldPosition(session: session).position(of: pose.value)
        else { return nil }
        return IndoorVehicle(
            position: position, headingRadians: pose.value.headingRadians,
            isOld: pose.age(now: clock.now) > .seconds(1))
    }

    /// Where the selected vehicle stands or took off; `nil` when that is not known.
    var takeOffPosition: Vector3? {
        let world = WorldPosition(session: session)
        let seen = fleet.selectedID.flatMap { fleet.history(of: $0)?.home }
        return world.home(in: fleet.selected?.link.latestTelemetry) ?? seen.flatMap { world.position(of: $0) }
    }

    /// The position of the selected vehicle while it is in the air; `nil` otherwise.
    var flyingVehicle: Vector3? {
        fleet.selected?.link.latestTelemetry?.flight?.value.state.isAirborne == true ? vehicle?.position : nil
    }

    /// Positions of the selected vehicle in the last minute.
    package var trail: [Vector3] {
        let world = WorldPosition(session: session)
        let poses = fleet.selectedID.flatMap { fleet.history(of: $0)?.trail(at: clock.now) } ?? []
        return poses.compactMap { world.position(of: $0.value) }
    }

    /// Start of the flight: the vehicle's position while it flies; `nil` (the first point) otherwise.
    var start: Vector3? {
        let state = fleet.selected?.link.latestTelemetry?.flight?.value.state
        return state == .flying ? vehicle?.position : nil
    }

    /// The least interval between plans of the same route because the vehicle reports something else: a search in a large
    /// map takes a second.
    private static let replanPeriod: Duration = .seconds(2)
    /// How far the vehicle moves until a plan that failed is tried again from there.
    private static let newStartMetres = 0.3

    private var mayPlanAgain: Bool {
        guard isPlanCurrent, let begun else { return false }
        return clock.now - begun.at >= Self.replanPeriod
    }

    /// Whether the vehicle is elsewhere than when planning or its check failed: it may have been outside of the map then.
    var isStartNews: Bool {
        guard mayPlanAgain, let begun else { return false }
        // What a check found may be about where the vehicle was, too.
        guard planProblem != nil || plan?.trajectory.report.isOK == false else { return false }
        guard let old = begun.start, let new = start else { return (begun.start == nil) != (start == nil) }
        return (new - old).length >= Self.newStartMetres
    }

    /// Whether something else is known of the battery than when the plan was made.
    var isBatteryNews: Bool {
        guard mayPlanAgain, let plan else { return false }
        return !conditions.knowsSameOfBattery(as: plan.trajectory.conditions)
    }
}
