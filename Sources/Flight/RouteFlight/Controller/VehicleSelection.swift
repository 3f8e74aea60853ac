package import FlightControl
package import Geodesy
package import UAVLink

/// The selected vehicle of a mode that edits a route: the controller that flies it, and whether its limits and origin
/// were read.
@MainActor
package final class VehicleSelection {
    private let fleet: Fleet
    private let flights: RouteFlights
    private let clock: any MonotonicClock
    /// The vehicle that was selected at the last ``look(session:)``.
    private var seen: Int?
    /// The vehicle whose limits and origin are being read for the first time: nothing was checked for it yet.
    private var unread: Int?
    /// The selected vehicle's link at the last ``hasComeBack()``.
    private var connection: Connection?

    /// The selection of a fleet, before the first ``look(session:)``.
    package init(in fleet: Fleet, flights: RouteFlights, clock: any MonotonicClock) {
        self.fleet = fleet
        self.flights = flights
        self.clock = clock
    }

    /// The present time of its clock.
    package var now: MonotonicTime { clock.now }

    /// Flies the route with the selected vehicle; `nil` when no vehicle is logged in.
    package var controller: RouteFlightController? { flights.selected(in: fleet, clock: clock) }

    /// The name of the selected vehicle, as one line that is safe to show; `nil` when no vehicle is logged in.
    package var title: String? { fleet.selected?.title.sanitizedLine }

    /// Why the selected vehicle, which stands on the ground, does not take off, and what to do; `nil` if it may.
    package var takeOffObstacle: String? {
        fleet.selected.flatMap { fleet.takeOffObstacle(of: [$0])?.sanitizedLine }
    }

    /// Why a command that moves the selected vehicle would be refused, since another pilot has control of it; `nil` if it may be
    /// accepted.
    package var authorityObstacle: String? {
        fleet.selected.flatMap { fleet.authorityObstacle(of: [$0])?.sanitizedLine }
    }

    /// A stop is the newest command: no other part of the program sends a further step of an older one, or waits for its end.
    package func beginStop() { fleet.beginCommand() }

    /// Whether the limits and the origin of the selected vehicle were read, or could not be.
    package var isRead: Bool {
        unread == nil && (seen == nil || seen == fleet.selectedID) && flights.hasNoOriginOfOther(than: fleet.selectedID)
    }

    /// Reads which vehicle is selected.
    ///
    /// - Parameter session: the world's origin for the flight of another vehicle; `nil` while it is not known.
    /// - Returns: whether the selection changed since the last call.
    package func look(session: WorldSession?) -> Bool {
        let selected = fleet.selected?.id
        guard selected != seen else { return false }
        seen = selected
        let flight = controller?.flight
        if let session { flight?.session = session }
        unread = flight?.envelope == nil && flight != nil ? selected : nil
        return true
    }

    /// Whether the link of the selected vehicle is open again, for the first time after it was lost: the vehicle may have been started
    /// anew meanwhile, with another world.
    package func hasComeBack() -> Bool {
        guard let selected = fleet.selected else {
            connection = nil
            return false
        }
        var seen = connection.flatMap { $0.vehicle == selected.id ? $0 : nil } ?? Connection(vehicle: selected.id)
        defer { connection = seen }
        guard selected.link.quality.isConnected else {
            seen.isLost = seen.wasOpen
            return false
        }
        let isBack = seen.isLost
        (seen.wasOpen, seen.isLost) = (true, false)
        return isBack
    }

    /// Queries the selected vehicle's limits, the origin of its world, and its own world.
    ///
    /// - Parameter take: takes the origin, `nil` if the vehicle did not report one, its own world, and the number of the vehicle; not
    ///   called when another vehicle was selected meanwhile.
    /// - Throws: ``UAVLink/LinkError``.
    package func read(
        _ take: @MainActor (FlightEnvelope.WorldOrigin?, OwnWorld, Int) -> Void
    ) async throws(LinkError) {
        guard let flight = controller?.flight, let id = fleet.selectedID else { return }
        async let asked = flight.readWorld()
        let origin: FlightEnvelope.WorldOrigin?
        var failure: LinkError?
        do throws(LinkError) {
            origin = try await flight.readEnvelope().worldOrigin
        } catch {
            origin = nil
            failure = error
        }
        let own = await asked
        finish(id)
        if id == fleet.selectedID { take(origin, own, id) }
        if let failure { throw failure }
    }

    private func finish(_ id: Int) { if unread == id { unread = nil } }
}

/// What was seen of a vehicle's link.
private struct Connection {
    let vehicle: Int
    /// Whether it was open before.
    var wasOpen = false
    /// Whether it was lost after that.
    var isLost = false

    init(vehicle: Int) { self.vehicle = vehicle }
}
