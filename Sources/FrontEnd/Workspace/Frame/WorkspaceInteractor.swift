public import FlightControl
public import UAVLink

/// Knows the vehicles, and commands what works from every screen.
@MainActor
public final class WorkspaceInteractor {
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let commander = FleetCommander()
    private var steering: (vehicle: Int, setpoints: UInt64, at: MonotonicTime)?
    /// The companions' versions of which it was said that they are others, by vehicle.
    private var toldVersions: [Int: String] = [:]

    /// An interactor over the fleet.
    public init(fleet: Fleet, clock: any MonotonicClock) {
        self.fleet = fleet
        self.clock = clock
    }

    /// The selected vehicle's title and what is known of it; `nil` when nobody is logged in.
    var selected: (title: String, position: String, snapshot: VehicleSnapshot)? {
        guard let vehicle = fleet.selected else { return nil }
        let position = fleet.vehicles.count > 1 ? "\(fleet.selectedPosition ?? 0)/\(fleet.vehicles.count)" : ""
        return (vehicle.title, position, vehicle.snapshot(now: clock.now))
    }

    /// What to say of the selected vehicle's companion that has not been said yet: that it is of another version than this program.
    func newVersionWarning() -> Notice? {
        guard let vehicle = fleet.selected else { return nil }
        let quality = vehicle.link.quality
        guard let warning = quality.versionWarning, toldVersions[vehicle.id] != quality.companionVersion else {
            return nil
        }
        toldVersions[vehicle.id] = quality.companionVersion
        return Notice(.warning, "\(vehicle.title): \(warning)")
    }

    /// Whether setpoints of ours have gone to the selected vehicle within the last ``steeringFades``.
    ///
    /// To be asked again and again: it compares with the time before.
    func isSteering() -> Bool {
        guard let vehicle = fleet.selected else { return false }
        let (sent, now) = (vehicle.link.quality.setpointsSent, clock.now)
        guard let last = steering, last.vehicle == vehicle.id, sent >= last.setpoints else {
            steering = (vehicle.id, sent, now - Self.steeringFades)
            return false
        }
        if sent > last.setpoints { steering = (vehicle.id, sent, now) }
        return now - (steering?.at ?? now) < Self.steeringFades
    }

    /// Over SSH a setpoint goes every one or two seconds.
    private static let steeringFades: Duration = .milliseconds(2500)

    var commandsAll: Bool { fleet.commandsAll }
    var hasVehicle: Bool { fleet.selected != nil }
    var vehicleCount: Int { fleet.vehicles.count }

    /// Titles of the vehicles that are in the air.
    var airborne: [String] {
        fleet.vehicles.filter { $0.link.latestTelemetry?.flight?.value.state.isAirborne == true }.map(\.title)
    }

    /// Who is in command of the selected vehicle.
    enum CommandHolder: Hashable {
        /// Over this link nobody decides it.
        case undecided(LinkKind)
        /// The vehicle's end has not told it yet.
        case unknown
        case nobodys
        case yours(isSteering: Bool)
        case another(Pilot)

        /// Another pilot, and the vehicle that he flies.
        struct Pilot: Hashable {
            var vehicle: String
            var name: String
        }
    }

    /// Who is in command of the selected vehicle; `nil` when nobody is logged in.
    var commandHolder: CommandHolder? {
        guard let vehicle = fleet.selected else { return nil }
        guard CommandOfVehicle.isDecided(over: vehicle.link) else { return .undecided(vehicle.link.kind) }
        guard let status = vehicle.link.latestTelemetry?.control?.value else { return .unknown }
        guard let pilot = status.pilot else { return .nobodys }
        if pilot.isYou { return .yours(isSteering: status.isSteering) }
        return .another(.init(vehicle: vehicle.title, name: pilot.name))
    }

    /// How long whoever is in command of the selected vehicle has been so, and whether he steers.
    var pilotHolds: (time: Duration, isSteering: Bool)? {
        guard let status = fleet.selected?.link.latestTelemetry?.control?.value, let pilot = status.pilot else {
            return nil
        }
        return (max(.zero, clock.now - pilot.since), status.isSteering)
    }

    /// Takes command of the selected vehicle, from whoever has it when a reason is given.
    func takeCommand(because reason: String? = nil) async -> Notice {
        guard let vehicle = fleet.selected else { return Notice(.warning, "nobody is logged in") }
        do throws(LinkError) {
            try await CommandOfVehicle.take(of: vehicle.link, by: reason)
            return Notice(.success, "you are in command of \(vehicle.title)")
        } catch {
            return Notice(.error, "\(vehicle.title): \(error.what)")
        }
    }

    /// Gives command of the selected vehicle back.
    func giveCommandBack() async -> Notice {
        guard let vehicle = fleet.selected else { return Notice(.warning, "nobody is logged in") }
        await CommandOfVehicle.release(of: vehicle.link, because: "given back")
        return Notice(.information, "command of \(vehicle.title) is given back")
    }

    /// Titles of the vehicles that a command goes to.
    var targets: [String] { fleet.targets.map(\.title) }

    /// Performs a command on the selected vehicle, or on all when that was asked for; one line for each answer.
    func perform(_ command: Command) async -> [Notice] { await commander.perform(command, on: fleet.targets) }

    func selectNext() { fleet.selectNext() }
    func setCommandsAll(_ all: Bool) { fleet.commandsAll = all }
    func observe(_ body: @escaping () -> Void) -> Fleet.Observation { fleet.observe(body) }
    func logOutOfAll() async { await fleet.removeAll() }
}
