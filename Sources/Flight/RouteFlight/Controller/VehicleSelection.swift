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

    /// The selection of a fleet, before the first ``look(session:)``.
    package init(in fleet: Fleet, flights: RouteFlights, clock: any MonotonicClock) {
        self.fleet = fleet
        self.flights = flights
        self.clock = clock
    }

    /// Flies the route with the selected vehicle; `nil` when no vehicle is logged in.
    package var controller: RouteFlightController? { flights.selected(in: fleet, clock: clock) }

    /// The name of the selected vehicle, as one line that is safe to show; `nil` when no vehicle is logged in.
    package var title: String? { fleet.selected?.title.sanitizedLine }

    /// Whether the limits and the origin of the selected vehicle were read, or could not be.
    package var isRead: Bool { unread == nil && (seen == nil || seen == fleet.selectedID) }

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

    /// Queries the selected vehicle's limits and the origin of its world.
    ///
    /// - Parameter take: takes the origin, `nil` if the vehicle did not report one, and the number of the vehicle; not
    ///   called when another vehicle was selected meanwhile.
    /// - Throws: ``UAVLink/LinkError``.
    package func read(_ take: @MainActor (FlightEnvelope.WorldOrigin?, Int) -> Void) async throws(LinkError) {
        guard let flight = controller?.flight, let id = fleet.selectedID else { return }
        do throws(LinkError) {
            let origin = try await flight.readEnvelope().worldOrigin
            finish(id)
            if id == fleet.selectedID { take(origin, id) }
        } catch {
            finish(id)
            if id == fleet.selectedID { take(nil, id) }
            throw error
        }
    }

    private func finish(_ id: Int) { if unread == id { unread = nil } }
}
