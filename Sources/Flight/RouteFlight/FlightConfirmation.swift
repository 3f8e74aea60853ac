public import Trajectories
internal import UAVLink

/// What a person is shown before a trajectory is sent, and says yes to.
public struct FlightConfirmation: Hashable, Sendable {
    /// The plan that it is about.
    public let plan: TrajectoryPlan
    /// The least distance to anything of the map on the way, metres; absent where no map is known.
    public var leastClearanceMetres: Double?

    /// What a person is asked about a plan.
    public init(_ plan: TrajectoryPlan, leastClearanceMetres: Double? = nil) {
        self.plan = plan
        self.leastClearanceMetres = leastClearanceMetres
    }

    /// The way, metres.
    public var lengthMetres: Double { plan.report.lengthMetres }
    /// The time, seconds.
    public var durationSeconds: Double { plan.report.durationSeconds }
    /// What the checks found.
    public var findings: [TrajectoryFinding] { plan.report.findings }
    /// The share of a full battery that it takes; absent when it is not known.
    public var batteryNeeded: Double? { plan.report.batteryNeeded }
    /// The share that is left now; absent when it is not known.
    public var batteryRemaining: Double? { plan.report.batteryRemaining }
    /// How far the vehicle is from the first sample, metres; absent when it is not known where it is.
    public var wayToStartMetres: Double? {
        guard let vehicle = plan.vehiclePosition, let first = plan.generated.trajectory.points.first else { return nil }
        return (first.position - vehicle).length
    }
    /// Whether no check failed.
    public var isClear: Bool { plan.report.isOK }

    /// The person says yes.
    ///
    /// - Parameter force: yes although a check failed.
    /// - Throws: ``TrajectoryFlightFailure/checksFailed(_:)`` when one failed and it is not forced.
    public func accept(force: Bool = false) throws(TrajectoryFlightFailure) -> ConfirmedPlan {
        guard isClear || force else { throw .checksFailed(findings.filter { $0.weight == .failure }) }
        return ConfirmedPlan(plan: plan)
    }
}

/// A plan that a person said yes to; only ``FlightConfirmation/accept(force:)`` makes one.
public struct ConfirmedPlan: Hashable, Sendable {
    /// The plan.
    public let plan: TrajectoryPlan

    fileprivate init(plan: TrajectoryPlan) { self.plan = plan }
}

/// Why a trajectory is not flown.
public enum TrajectoryFlightFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Checks failed, and nobody forced it.
    case checksFailed([TrajectoryFinding])
    /// Nothing was sent that could be flown.
    case nothingLoaded
    /// The vehicle took it with points of its own: part of it lies where it may not fly.
    case changedByVehicle
    /// The link, or the vehicle's refusal, as a line.
    case vehicle(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .checksFailed(let findings):
            "nothing was sent: \(findings.first?.text ?? "a check failed")"
                + (findings.count > 1 ? " (and \(findings.count - 1) more)" : "")
        case .nothingLoaded: "no trajectory was sent yet: send one first"
        case .changedByVehicle:
            "the vehicle changed points of the trajectory: part of it lies outside of the safety area that the vehicle "
                + "knows; it is not flown"
        case .vehicle(let line): line
        }
    }
}
