internal import FlightControl

/// The state that is kept while the telemetry screen is closed: the names of the added topics, for each vehicle from
/// log-in to log-out. Nothing is watched by it.
@MainActor
package final class TelemetryStore {
    private var names: [LoggedInVehicle.ID: [String]] = [:]

    package init() {}

    /// The complete names of the topics that were added for a vehicle, in order.
    func topics(of vehicle: LoggedInVehicle.ID) -> [String] { names[vehicle] ?? [] }

    /// Keeps the names of a vehicle's topics, and forgets those of vehicles that were logged out of: numbers are not
    /// used again.
    func keep(_ topics: [String], of vehicle: LoggedInVehicle.ID, among vehicles: [LoggedInVehicle]) {
        names[vehicle] = topics
        let present = Set(vehicles.map(\.id))
        names = names.filter { present.contains($0.key) }
    }
}
