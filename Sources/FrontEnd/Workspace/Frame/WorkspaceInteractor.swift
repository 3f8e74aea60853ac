package import FlightControl
package import FlightRecorder
package import ModeKit
internal import RouteFlight
package import UAVLink
internal import VehicleAccess

/// Provides the state of the vehicles, and executes the commands that work on every screen.
@MainActor
package final class WorkspaceInteractor {
    let fleet: Fleet
    private let clock: any MonotonicClock
    let recordings: Recordings?
    private let commander = FleetCommander()
    /// Runs flight commands until their effect shows.
    let flight: FlightTasks
    /// The commands of ``perform(_:)`` that wait for their answers.
    private var unanswered: [String] = []
    /// The companion versions for which a warning was shown, by vehicle.
    private var warnedVersions: [Int: String] = [:]

    /// Creates an interactor for a fleet.
    package init(fleet: Fleet, clock: any MonotonicClock, flight: FlightTasks, recordings: Recordings?) {
        self.recordings = recordings
        self.fleet = fleet
        self.flight = flight
        self.clock = clock
    }

    /// The selected vehicle's title, position and snapshot; `nil` when no vehicle is logged in.
    var selected: (title: String, position: String, snapshot: VehicleSnapshot)? {
        guard let vehicle = fleet.selected else { return nil }
        let position = fleet.vehicles.count > 1 ? "\(fleet.selectedPosition ?? 0)/\(fleet.vehicles.count)" : ""
        return (vehicle.title, position, vehicle.snapshot(now: clock.now))
    }

    /// The number of the selected vehicle; `nil` when no vehicle is logged in.
    var selectedID: Int? { fleet.selectedID }

    /// The warning that the selected vehicle's companion has another version than this program, if not yet shown.
    func nextVersionWarning() -> Notice? {
        guard let vehicle = fleet.selected else { return nil }
        let quality = vehicle.link.quality
        guard let warning = quality.versionWarning, warnedVersions[vehicle.id] != quality.companionVersion else {
            return nil
        }
        warnedVersions[vehicle.id] = quality.companionVersion
        return Notice(.warning, "\(vehicle.title): \(warning)", scope: .vehicle)
    }

    /// Whether the open screen steers the selected vehicle.
    var isSteered: Bool { hasVehicle && fleet.steeredID == fleet.selectedID }

    /// Whether the pilot in control is the open screen's own measurement, over a link of its own.
    func isOwnMeasurement(_ pilot: String) -> Bool {
        hasVehicle && fleet.measuredID == fleet.selectedID && ControlAuthorityClient.isOwnName(pilot)
    }

    var commandsAll: Bool { fleet.commandsAll }
    var hasVehicle: Bool { fleet.selected != nil }
    var vehicleCount: Int { fleet.vehicles.count }

    /// The titles of the airborne vehicles, of those that are simulated in this program or of the others.
    ///
    /// - Parameter isLost: those with a lost link, which were in the air when they were last heard.
    func airborne(isSimulated: Bool, isLost: Bool = false) -> [String] {
        fleet.vehicles.filter {
            ($0.link.kind == .sim) == isSimulated && (isSimulated || $0.isLinkLost == isLost)
                && ($0.link.latestTelemetry?.flight?.value.state.isAirborne == true
                    || fleet.radioFlight(of: $0) == .certain)
        }.map(\.title)
    }

    /// Which pilot has control authority over the selected vehicle.
    enum ControlAuthorityState: Hashable {
        /// The link has no control authority.
        case undecided(LinkKind)
        /// The companion has not reported it yet.
        case unknown
        case unclaimed
        case yours(isSteering: Bool)
        case another(Pilot)

        /// Another pilot, and the vehicle.
        struct Pilot: Hashable {
            var vehicle: String
            var name: String
        }
    }

    /// Which pilot has control authority over the selected vehicle; `nil` when no vehicle is logged in.
    var controlAuthority: ControlAuthorityState? {
        guard let vehicle = fleet.selected else { return nil }
        guard ControlAuthorityClient.isArbitrated(over: vehicle.link) else { return .undecided(vehicle.link.kind) }
        guard let status = vehicle.link.latestTelemetry?.control?.value else { return .unknown }
        guard let pilot = status.pilot else { return .unclaimed }
        if pilot.isYou { return .yours(isSteering: status.isSteering) }
        return .another(.init(vehicle: vehicle.title, name: pilot.name))
    }

    /// How long the current pilot has had control authority over the selected vehicle, and whether it steers.
    var currentControl: (time: Duration, isSteering: Bool)? {
        guard let status = fleet.selected?.link.latestTelemetry?.control?.value, let pilot = status.pilot else {
            return nil
        }
        return (max(.zero, clock.now - pilot.since), status.isSteering)
    }

    /// Requests control authority over the selected vehicle; takes it over from another pilot when a reason is given.
    func takeCommand(because reason: String? = nil) async -> Notice {
        guard let vehicle = fleet.selected else { return Notice(.warning, "no vehicle is logged in") }
        do throws(LinkError) {
            try await ControlAuthorityClient.take(of: vehicle.link, by: reason)
            return Notice(.success, "you have control authority over \(vehicle.title)")
        } catch {
            return Notice(.error, "\(vehicle.title): \(error.what)")
        }
    }

    /// Releases control authority over the selected vehicle.
    func releaseControl() async -> Notice {
        guard let vehicle = fleet.selected else { return Notice(.warning, "no vehicle is logged in") }
        await ControlAuthorityClient.release(of: vehicle.link, because: "by the user")
        return Notice(.information, "control authority over \(vehicle.title) released", scope: .vehicle)
    }

    /// Whether the selected vehicle is the simulated one.
    var isSimulated: Bool { fleet.selected?.isSimulated ?? false }

    /// Whether the selected vehicle is driven by text.
    var isDrivenByText: Bool { fleet.selected?.link.vehicleCapabilities.isDrivenByText ?? false }

    /// What the alarms watch of each vehicle.
    var readings: [VehicleAlarms.Reading] {
        fleet.vehicles.map { vehicle in
            let (quality, telemetry) = (vehicle.link.quality, vehicle.link.latestTelemetry)
            let control = telemetry?.control?.value
            let isMeasurement =
                vehicle.id == fleet.measuredID && control?.pilot.map { isOwnMeasurement($0.name) } ?? false
            return VehicleAlarms.Reading(
                id: vehicle.id, title: vehicle.title, charge: telemetry?.battery?.value.remaining,
                isConnected: quality.isConnected, telemetryFault: quality.telemetryFault,
                control: isMeasurement ? nil : control)
        }
    }

    /// Why the selected vehicle cannot be commanded so, or used with a mode; `nil` if it can.
    func lack(of requirement: VehicleRequirement) -> String? {
        fleet.selected?.link.vehicleCapabilities.lack(of: requirement)
    }

    /// The flight state of the selected vehicle.
    var flightState: FlightState { fleet.selected?.link.latestTelemetry?.flight?.value.state ?? .unknown }

    /// Whether a pilot flies the selected vehicle by radio, as far as telemetry shows.
    var radioFlight: RadioFlight { fleet.radioFlight(of: fleet.selected) }

    /// Why a target must not be disarmed, since a pilot flies it by radio or may; `nil` if it is none.
    var disarmingObstacle: String? {
        for target in fleet.targets {
            if let obstacle = fleet.radioFlight(of: target).obstacle(target.title) { return obstacle }
        }
        return nil
    }

    /// Whether all targets are known to stand on the ground with their motors off: an emergency landing would be refused. Telemetry that
    /// is not of now does not count: this command must not be held back in doubt.
    var areTargetsDisarmed: Bool {
        fleet.targets.allSatisfy { $0.flightStatus(now: clock.now)?.state == .disarmed }
    }

    /// Whether neither hover nor emergency landing would do anything: motors are off, and nothing that was commanded turns them on.
    /// What does not take off drives on the ground, whatever it says of its motors.
    var hasNothingToStop: Bool {
        !fleet.targets.isEmpty && areTargetsDisarmed && underWay == nil
            && !fleet.hasBegunCommand(within: .seconds(10))
            && !fleet.targets.contains { $0.isLinkLost || !$0.link.vehicleCapabilities.commands.contains(.takeoff) }
    }

    /// Whether all targets show by now that their motors are cut, of which nothing falls any more. Only machines count that show it
    /// themselves, and not what their link expects.
    var areMotorsCut: Bool {
        fleet.targets.allSatisfy {
            $0.link.vehicleCapabilities.takeOffClearsEmergency
                && $0.flightStatus(now: clock.now)?.state == .emergency
        }
    }

    /// The vehicles that the last question before a take-off named.
    var askedToTakeOff: [LoggedInVehicle] = []
    /// Whether that question was whether to clear their emergency.
    var askedToClearEmergency = false

    /// Those of the targets that would take off.
    var takeOffTargets: TakeOffTargets { fleet.takeOffTargets(of: fleet.targets) }

    /// Whether the motors of all vehicles that are asked about are known to run, or are not armed by a command of their own.
    /// Telemetry that is not of now does not count: who is asked before a take-off must know that motors may start.
    var areTakeOffTargetsArmed: Bool {
        askedToTakeOff.allSatisfy {
            $0.flightStatus(now: clock.now)?.isArmed == true || !$0.link.vehicleCapabilities.commands.contains(.arm)
        }
    }

    /// The vehicles that the last question before a return home named.
    var askedToReturnHome: [LoggedInVehicle] = []

    /// Those of the targets that would fly home.
    var returnHomeTargets: ReturnHomeTargets { fleet.returnHomeTargets(of: fleet.targets) }

    /// Why no target would take off, and what to do; `nil` if one may.
    var takeOffObstacle: String? { fleet.takeOffObstacle(of: fleet.targets) }

    /// Begins a flight command: flights to a place with the selected vehicle, the others with all targets.
    func fly(_ action: FlightAction) {
        switch action {
        case .takeOff where askedToClearEmergency: flight.clearEmergency(fleet.commanded(of: askedToTakeOff))
        case .takeOff: flight.takeOff(fleet.takeOffTargets(stillOf: askedToTakeOff))
        case .land: flight.land(fleet.targets)
        case .disarm: flight.disarm(fleet.targets)
        case .landHome: perform(action, on: fleet.commanded(of: askedToReturnHome))
        case .goTo, .altitude, .heading: perform(action, on: fleet.selected.map { [$0] } ?? [])
        }
    }

    /// Why a flight to a place is not possible for the selected vehicle as it was typed; `nil` if it may be.
    func mistake(in action: FlightAction) -> String? {
        guard case .goTo(let goal) = action, let vehicle = fleet.selected else { return nil }
        do throws(LinkError) {
            _ = try goal.command(knowing: vehicle.link.latestTelemetry, of: vehicle.link.vehicleCapabilities)
            return nil
        } catch {
            return error.description
        }
    }

    /// The command is made at once, not when telemetry has come: a stop that is given meanwhile must not be followed by it.
    private func perform(_ action: FlightAction, on targets: [LoggedInVehicle]) {
        let (known, machine) = (fleet.selected?.link.latestTelemetry, fleet.selected?.link.vehicleCapabilities ?? .mrs)
        flight.perform(action.name, on: targets, to: { await GoalFrame.destination(of: $0, over: $1) }) {
            _ throws(FlightInteractor.Failure) in
            guard case .goTo(let goal) = action else { return action.command }
            do throws(LinkError) {
                return try goal.command(knowing: known, of: machine)
            } catch {
                throw .link(error)
            }
        }
    }

    /// The vehicles that a command is sent to.
    var commanded: [LoggedInVehicle] { fleet.targets }

    /// Why a command of a pilot would be refused by all of these; `nil` if it may be accepted.
    func authorityObstacle(of vehicles: [LoggedInVehicle]) -> String? { fleet.authorityObstacle(of: vehicles) }

    /// The titles of the vehicles that a command is sent to.
    var targets: [String] { fleet.targets.map(\.title) }

    /// What is asked before an emergency landing of these vehicles.
    var emergencyQuestion: EmergencyQuestion { EmergencyQuestion(fleet.targets) }

    /// What the selected vehicle can do; everything without one.
    var capabilities: VehicleCapabilities { fleet.selected?.link.vehicleCapabilities ?? .mrs }

    /// Whether the selected vehicle is reached by its own protocol.
    var isReachedDirectly: Bool { fleet.selected?.link.kind == .direct }

    /// Performs a command on the selected vehicle, or on all when that is on; returns one notice per answer.
    func perform(_ command: Command) async -> [Notice] {
        let title = command.title(on: fleet.targets)
        unanswered.append(title)
        defer { if let at = unanswered.firstIndex(of: title) { unanswered.remove(at: at) } }
        return await commander.perform(command, on: fleet.targets)
    }

    /// What follows up a command that has begun, where it may not end a landing.
    func hoverInLanding(_ command: Command) -> HoverInLanding {
        HoverInLanding(command, on: fleet.targets, of: fleet)
    }

    /// What is said of a command when it is sent: more where its answer may not come for long.
    func announcement(of command: Command) -> Notice {
        commander.announcement(of: command, on: fleet.targets)
            ?? Notice(.information, "\(command.title(on: fleet.targets)) ...", scope: .vehicle)
    }

    /// What is waited for, as a short text: a flight command's effect, or the answer to a stop command.
    var underWay: String? { flight.underWay ?? unanswered.last.map { "\($0): waiting for the answer" } }

    /// Begins a command: steps of an older one that are not sent yet are not sent any more.
    func beginCommand() { fleet.beginCommand() }

    /// How many commands of the user have begun.
    var commandsBegun: Int { fleet.commandsBegun }

    func selectNext() { fleet.selectNext() }
    func setCommandsAll(_ all: Bool) { fleet.commandsAll = all }
    func logOutOfAll() async { await fleet.removeAll() }
}
