package import FlightControl
package import Geodesy
package import UAVLink
internal import VehicleAccess

/// The controllers of the vehicles that are logged in, one each, and the world that routes are planned in: shared by all screens.
@MainActor
package final class RouteFlights {
    /// What the world is made from. All screens plan in one world: an obstacle that one of them has read is one for the others too.
    package var setup = WorldSetup()
    /// The number of the vehicle that the set-up's origin is of.
    package var originVehicle: Int?
    /// The number of the vehicle that the set-up's `localOrigin` is of.
    package var localOriginVehicle: Int?
    /// Compares the worlds of the set-up.
    let comparison = WorldComparison()
    private var controllers: [LoggedInVehicle.ID: RouteFlightController] = [:]

    /// None yet.
    package init() {}

    /// Whether the set-up has no origin of another vehicle than this one: places in it are then not those of another world.
    func hasNoOriginOfOther(than vehicle: Int?) -> Bool {
        vehicle == nil || setup.vehicleOrigin == nil || originVehicle == vehicle
    }

    /// The controller of the selected vehicle; `nil` when no vehicle is logged in.
    package func selected(in fleet: Fleet, clock: any MonotonicClock) -> RouteFlightController? {
        guard let selected = fleet.selected else { return nil }
        if let known = controllers[selected.id] { return known }
        // Numbers are not used again: those of vehicles that were logged out are dropped.
        let present = Set(fleet.vehicles.map(\.id))
        controllers = controllers.filter { present.contains($0.key) }
        let made = RouteFlightController(FlightDependency(link: selected.link, clock: clock))
        made.flight.snapshotService = selected.profile.snapshotService
        made.flight.batteryLeft = { [weak fleet, id = selected.id] now in fleet?.history(of: id)?.batteryLeft(at: now) }
        made.takesNoReferences = { [weak fleet, id = selected.id] in
            guard let fleet, let vehicle = fleet.vehicles.first(where: { $0.id == id }) else { return nil }
            return fleet.takesNoReferences(vehicle)
        }
        controllers[selected.id] = made
        return made
    }

    /// All controllers, in no order.
    package var all: [RouteFlightController] { Array(controllers.values) }

    /// Sets where frames lie for all flights. While that is not known, as when a screen has just been opened, a vehicle to which a route
    /// was sent keeps what it was sent with: its flown track and its snapshots depend on it.
    package func setSession(_ session: WorldSession?) {
        for each in controllers.values {
            if session == nil, each.wasRouteSent { continue }
            each.flight.session = session
        }
    }
}

extension RouteFlightController {
    /// Whether a route was sent from here, or is being sent.
    fileprivate var wasRouteSent: Bool { if case .nothingSent = state { false } else { true } }
}
