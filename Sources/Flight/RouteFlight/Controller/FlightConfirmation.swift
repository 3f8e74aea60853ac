internal import FlightControl
internal import ReportKit
package import Trajectories
package import UAVLink

/// What the user sees and confirms before a trajectory is sent.
package struct FlightConfirmation: Hashable, Sendable {
    /// The plan to confirm.
    package let plan: TrajectoryPlan
    /// Least clearance to the map along the path, metres; `nil` if no map is known.
    package var leastClearanceMetres: Double?
    /// The route that the plan was made from; `nil` if it is not edited here.
    package var version: RouteVersion?

    /// Creates the confirmation of a plan.
    package init(_ plan: TrajectoryPlan, leastClearanceMetres: Double? = nil, version: RouteVersion? = nil) {
        self.plan = plan
        self.leastClearanceMetres = leastClearanceMetres
        self.version = version
    }

    /// Path length, metres.
    package var lengthMetres: Double { plan.report.lengthMetres }
    package var durationSeconds: Double { plan.report.durationSeconds }
    /// Findings of the checks.
    package var findings: [TrajectoryFinding] { plan.report.findings }
    /// Share of a full battery that the flight needs; `nil` if unknown.
    package var batteryNeeded: Double? { plan.report.batteryNeeded }
    /// Remaining share; `nil` if unknown.
    package var batteryRemaining: Double? { plan.report.batteryRemaining }
    /// Distance from the vehicle to the first sample, metres; `nil` if the vehicle's position is unknown.
    package var distanceToStartMetres: Double? {
        guard let vehicle = plan.vehiclePosition, let first = plan.generated.trajectory.points.first else { return nil }
        return (first.position - vehicle).length
    }
    /// Whether no check failed.
    package var isClear: Bool { plan.report.isOK }

    /// Confirms the plan on behalf of the user.
    ///
    /// - Parameter force: confirms although a check failed.
    /// - Throws: ``TrajectoryFlightFailure/checksFailed(_:)`` if a check failed and `force` is false.
    package func accept(force: Bool = false) throws(TrajectoryFlightFailure) -> ConfirmedPlan {
        guard isClear || force else { throw .checksFailed(findings.filter { $0.weight == .failure }) }
        return ConfirmedPlan(plan: plan, leastClearanceMetres: leastClearanceMetres, version: version)
    }
}

/// A plan confirmed by the user; only ``FlightConfirmation/accept(force:)`` creates one.
package struct ConfirmedPlan: Hashable, Sendable {
    package let plan: TrajectoryPlan
    /// Least clearance to the map along the path, metres; `nil` if no map is known.
    package let leastClearanceMetres: Double?
    /// The route that the plan was made from; `nil` if it is not edited here.
    package let version: RouteVersion?

    fileprivate init(plan: TrajectoryPlan, leastClearanceMetres: Double?, version: RouteVersion?) {
        self.plan = plan
        self.leastClearanceMetres = leastClearanceMetres
        self.version = version
    }
}

/// Why a trajectory is not flown.
package enum TrajectoryFlightFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Checks failed and the user did not force the flight.
    case checksFailed([TrajectoryFinding])
    /// No trajectory was sent yet.
    case nothingLoaded
    /// The vehicle changed points of the trajectory: part of it lies outside its safety area.
    case changedByVehicle
    /// The vehicle holds a trajectory with another number of samples than the one that is to be flown.
    case anotherTrajectory(held: Int, planned: Int)
    /// Another upload is in progress.
    case alreadySending
    /// The vehicle follows the trajectory already.
    case alreadyFlying
    /// The vehicle is not at the first sample: so many metres from it.
    case farFromStart(metres: Double)
    /// The vehicle is not where it was stopped: so many metres from there.
    case farFromStop(metres: Double)
    /// The vehicle is in a state in which its flight stack takes no trajectory.
    case notFlying(FlightState)
    /// The vehicle flies and takes no trajectory: it flies home to land, or holds after an interrupted landing.
    case takesNone
    /// A pilot flies the vehicle by radio: its flight stack takes no trajectory.
    case flownByRadio
    /// The link is lost: no command reaches the vehicle.
    case linkLost
    /// A link error, or the vehicle's refusal, as one line.
    case vehicle(String)

    /// Whether the vehicle has done or said it; otherwise nothing was sent.
    package var isOfVehicle: Bool {
        switch self {
        case .changedByVehicle, .anotherTrajectory, .notFlying, .takesNone, .flownByRadio, .vehicle: true
        case .farFromStart, .farFromStop: true
        case .checksFailed, .nothingLoaded, .alreadySending, .alreadyFlying, .linkLost: false
        }
    }

    /// One line for the user.
    package var description: String {
        switch self {
        case .checksFailed(let findings):
            "nothing was sent: \(findings.first?.text ?? "a check failed")"
                + (findings.count > 1 ? " (and \(findings.count - 1) more)" : "")
        case .nothingLoaded: "no trajectory was sent; send one first"
        case .changedByVehicle:
            "the vehicle changed points of the trajectory: part of it lies outside the vehicle's safety area; "
                + "it is not flown"
        case .anotherTrajectory(let held, let planned):
            "the vehicle holds another trajectory, of \(held) samples instead of \(planned): send this one first"
        case .alreadySending: "a trajectory is already being sent"
        case .alreadyFlying: "the vehicle already follows the trajectory"
        case .farFromStart(let metres):
            "the vehicle is \(metres.formatted(decimals: 1)) m from the start, and would cut across to the moving trajectory: "
                + "fly to the start first (goto-start)"
        case .farFromStop(let metres):
            "the vehicle is \(metres.formatted(decimals: 1)) m from where it was stopped, and would cut across to the moving "
                + "trajectory: fly back there, or to the start (goto-start)"
        case .notFlying(.takingOff): "the vehicle is taking off: wait until it flies"
        case .notFlying(.landing): "the vehicle is landing: it accepts no trajectory now"
        case .notFlying(.emergency): "the vehicle is in an emergency: it accepts no trajectory"
        case .takesNone: Telemetry.refusal(of: "trajectory")
        case .flownByRadio: "the vehicle is flown by radio: it takes no trajectory"
        case .linkLost: "link lost: it would not reach the vehicle"
        case .notFlying: "the vehicle is not flying: take off first"
        case .vehicle(let line): line
        }
    }
}
