package import FlightControl
internal import FlightPlans
internal import ModeKit
internal import ReportKit
internal import RouteFiles
package import RouteFlight
package import UAVLink
internal import VehicleAccess

/// Reads, checks, moves and flies the plan with the selected vehicle.
@MainActor
package final class FlightPlanInteractor {
    private let fleet: Fleet
    package let document: FlightPlanDocument
    private let files: PlanFiles
    private let clock: any MonotonicClock
    /// The plan that is flown, or was flown last while the mode is open.
    private(set) var flight: PlanFlight?
    /// The machine that was told that a plan is edited.
    private var edited: (any FlightPlanLink)?
    private var checked: (conditions: Conditions, check: PlanCheck)?
    /// Whether the mode was left.
    private var isDetached = false
    /// Counts the checks.
    private(set) var checks = 0

    /// What a check depends on.
    private struct Conditions: Hashable {
        var revision: Int
        var version: String?
        /// Percent, rounded down: it is checked again when that has changed.
        var battery: Int?
    }

    package init(fleet: Fleet, document: FlightPlanDocument, files: any FileAccess, clock: any MonotonicClock) {
        self.fleet = fleet
        self.document = document
        self.files = PlanFiles(files)
        self.clock = clock
    }

    // MARK: The vehicle

    var vehicle: LoggedInVehicle? { fleet.selected }
    private var link: (any FlightPlanLink)? { vehicle?.link.capabilities.plans }
    private var drone: (any PlanVehicle)? { vehicle?.link.capabilities.planVehicle }

    /// Why no plan can be flown with the selected vehicle; `nil` if one can.
    var obstacle: String? {
        guard let vehicle else { return "no vehicle is logged in" }
        if let lack = vehicle.link.vehicleCapabilities.lack(of: .flyingPlans) {
            return "\(lack); a Tello has them, over its own link: --link tello://ADDRESS"
        }
        return drone == nil ? "the link to \(vehicle.title.sanitizedLine) flies no flight plans" : nil
    }

    /// The states of the drone; `nil` where it has none.
    var states: PilotStates? { link?.pilotStates }

    /// Percent; `nil` if it is not known.
    var battery: Double? { drone?.batteryPercent }

    /// What the drone does, as it said last.
    var flightState: FlightState { vehicle?.link.latestTelemetry?.flight?.value.state ?? .unknown }

    /// Tells the drone that a plan is edited while there is one, nobody flies it, and it stands in a state that allows it.
    func keepPlanning() {
        // A last look after the mode was left must not open what was closed then: no take-off would be sent any more.
        guard !isDetached else { return }
        let wanted = document.plan != nil && flight?.isUnderWay != true ? link : nil
        if let edited, edited !== wanted { stopPlanning() }
        guard let wanted, wanted.pilotStates.allowsPlanning || wanted.pilotStates.isPlanning else { return }
        wanted.editPlan(true)
        edited = wanted
    }

    private func stopPlanning() {
        edited?.editPlan(false)
        edited = nil
    }

    // MARK: The plan

    /// The check of the plan for the selected drone as it is now, or for any; `nil` without a plan.
    func check() -> PlanCheck? {
        guard let plan = document.plan else { return nil }
        let drone = drone
        let conditions = Conditions(
            revision: document.revision, version: drone?.sdk,
            battery: drone?.batteryPercent.map { Int(saturating: $0.rounded(.down)) })
        if let checked, checked.conditions == conditions { return checked.check }
        let check = PlanCheck(
            plan, found: document.found, for: drone?.version, battery: conditions.battery.map(Double.init) ?? 100)
        checked = (conditions, check)
        checks &+= 1
        return check
    }

    /// Reads a plan; one that a flight is under way of is not replaced.
    ///
    /// - Parameter replacing: whether a plan that no file has is replaced.
    /// - Returns: `false` if there is such a plan, which then stays.
    /// - Throws: ``RouteFlight/FileAccessError``.
    func open(_ path: String, replacing: Bool) async throws(FileAccessError) -> Bool {
        let read = try await files.read(path)
        if let other = read.problems.first(where: { $0.kind == .noPlan }) {
            throw FileAccessError("\(path.sanitizedLine): \(other.what)")
        }
        guard replacing || !document.hasUnsavedPlan else { return false }
        try refuseInFlight()
        document.open(read.plan, read.problems, path: path)
        return true
    }

    /// Writes the plan; a file that was written here is replaced.
    ///
    /// - Throws: ``RouteFlight/FileAccessError``.
    func write(to path: String, replacing: Bool) async throws(FileAccessError) {
        guard let plan = document.plan else { return }
        let revision = document.revision
        try await files.write(plan, to: path, replacing: replacing || document.isOwnFile && path == document.path)
        if revision == document.revision { document.wrote(to: path) }
    }

    /// Makes a plan of a route.
    ///
    /// - Parameter replacing: whether a plan that no file has is replaced.
    /// - Returns: what the plan does not hold, lines for display; `nil` if there is a plan that no file has, which then stays.
    /// - Throws: what ``FlightPlans/PlanFiles/importRoute(_:)`` throws.
    func importRoute(_ path: String, replacing: Bool) async throws -> [String]? {
        let made = try await files.importRoute(path)
        guard replacing || !document.hasUnsavedPlan else { return nil }
        try refuseInFlight()
        let lost = PlanRoute.problems(omissions: made.omissions, notes: made.notes, allowsOmissions: false)
        document.take(made.plan, made.problems + lost, madeOf: path)
        return made.omissions + made.notes + (made.lacksFrame ? [ReadRoute.frameNote(of: path)] : [])
    }

    /// Writes the plan as a route.
    ///
    /// - Returns: how many points it has, and what it does not hold.
    /// - Throws: what ``FlightPlans/PlanFiles/exportRoute(_:to:frame:replacing:)`` throws; a ``FlightPlans/PlanProblem`` for a
    ///   plan with lines that were not read.
    func exportRoute(to path: String, replacing: Bool) async throws -> (points: Int, notes: [String]) {
        guard let plan = document.plan else { return (0, []) }
        if let problem = document.found.first(where: { !$0.isWarning }) { throw problem }
        return try await files.exportRoute(plan, to: path, replacing: replacing)
    }

    private func refuseInFlight() throws(FileAccessError) {
        if flight?.isUnderWay == true { throw FileAccessError("a plan is flown: stop or land first") }
    }

    // MARK: The flight

    /// Why the plan is not flown now; `nil` if it would be.
    var flightObstacle: String? {
        if let obstacle { return obstacle }
        guard let check = check() else { return "no plan is open: o opens one" }
        if let failure = check.problems.first(where: { !$0.isWarning }) { return failure.description }
        guard let states else { return nil }
        // A plan that is edited is closed for the flight.
        return states.isPlanning ? nil : states.takeOffObstacle
    }

    /// Flies the plan.
    ///
    /// - Returns: why not; `nil` if it has begun.
    func fly(stepwise: Bool) -> String? {
        if flight?.isUnderWay == true { return "a plan is flown already" }
        if let obstacle = flightObstacle { return obstacle }
        guard let plan = document.plan, let drone, let vehicle else { return "no plan is open" }
        stopPlanning()
        // It may have been lost, or have taken off, since.
        if let obstacle = states?.takeOffObstacle { return obstacle }
        // What another screen began has no further step now; a step of the plan is refused once the user has stopped the drone.
        fleet.beginCommand()
        let flight = PlanFlight(
            plan, revision: document.revision, on: drone, of: vehicle.id, clock: clock, isStepwise: stepwise)
        self.flight = flight
        document.move(to: 0)
        flight.begin()
        return nil
    }

    /// Ends the flight, since the screen from which it is watched is not there any more, and a plan being edited.
    ///
    /// - Returns: whether a plan was flown.
    func detach() -> Bool {
        defer { stopPlanning() }
        isDetached = true
        guard let flight, flight.isUnderWay else { return false }
        flight.order(.stop)
        return true
    }

    /// Returns when the last stop or landing is answered.
    func settle() async { await flight?.settle() }
}
