public import UAVLink

/// Knows the vehicles, and commands what works from every screen.
@MainActor
public final class WorkspaceInteractor {
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let commander = FleetCommander()
    private var steering: (vehicle: Int, setpoints: UInt64, at: MonotonicTime)?

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

    /// Titles of the vehicles that a command goes to.
    var targets: [String] { fleet.targets.map(\.title) }

    /// Performs a command on the selected vehicle, or on all when that was asked for; one line for each answer.
    func perform(_ command: Command) async -> [Notice] { await commander.perform(command, on: fleet.targets) }

    func selectNext() { fleet.selectNext() }
    func setCommandsAll(_ all: Bool) { fleet.commandsAll = all }
    func observe(_ body: @escaping () -> Void) -> Fleet.Observation { fleet.observe(body) }
    func logOutOfAll() async { await fleet.removeAll() }
}
