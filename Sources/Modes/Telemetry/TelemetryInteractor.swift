package import FlightControl
package import MRS
package import UAVLink
internal import VehicleAccess

/// Reads the selected vehicle's telemetry and its history, and watches the added topics.
///
/// All of it is that of the selected vehicle.
@MainActor
package final class TelemetryInteractor {
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let makeWatch: (LoggedInVehicle) -> any TopicWatching
    private var vehicle: Int?
    private var watched: WatchedTopics?

    /// The current state; `nil` if no vehicle is logged in.
    package private(set) var snapshot: VehicleSnapshot?
    /// The selected vehicle's last minute, recorded since log-in.
    package var history: VehicleHistory { fleet.selectedID.flatMap { fleet.history(of: $0) } ?? VehicleHistory() }

    /// Creates an interactor; it is updated by ``look()``.
    package init(
        fleet: Fleet, clock: any MonotonicClock, makeWatch: @escaping (LoggedInVehicle) -> any TopicWatching
    ) {
        self.fleet = fleet
        self.clock = clock
        self.makeWatch = makeWatch
    }

    /// Updates the snapshot.
    ///
    /// - Returns: whether another vehicle was selected since the last call.
    package func look() -> Bool {
        let selected = fleet.selected
        let isAnother = selected?.id != vehicle
        if isAnother {
            vehicle = selected?.id
            watched?.end()
            watched = nil
        }
        snapshot = selected?.snapshot(now: clock.now)
        return isAnother
    }

    /// The vehicle's title for the user; `nil` if no vehicle is logged in.
    package var title: String? { fleet.selected?.title }

    /// What the selected vehicle can do; everything without one, so that all panels are shown.
    package var capabilities: VehicleCapabilities { fleet.selected?.link.vehicleCapabilities ?? .mrs }

    // MARK: Topics

    /// The added topics, in order.
    package var topics: [WatchedTopic] { watched?.topics ?? [] }

    /// Watches a topic of the selected vehicle; a name without a leading `/` is relative to the vehicle's namespace.
    ///
    /// - Returns: the complete name.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid topic name, a topic already watched, or one
    ///   too many.
    package func addTopic(_ typed: String) throws(LinkError) -> String {
        guard let vehicle = fleet.selected else { throw LinkError(.notConnected, "no vehicle is logged in") }
        let name = try TopicName.complete(typed, vehicle: vehicle.profile.vehicle)
        guard topics.count < TopicLimits.watched else {
            throw LinkError(
                .invalidInput, "at most \(TopicLimits.watched) topics can be shown", hint: "remove one with x")
        }
        guard watch(of: vehicle).add(name) else { throw LinkError(.invalidInput, "'\(name)' is already shown") }
        return name
    }

    /// Stops watching a topic.
    package func removeTopic(at index: Int) { watched?.remove(at: index) }

    /// The published topics, sorted by name.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    package func publishedTopics() async throws(LinkError) -> [PublishedTopic] {
        guard let vehicle = fleet.selected else { throw LinkError(.notConnected, "no vehicle is logged in") }
        return try await watch(of: vehicle).published(within: .seconds(10))
    }

    private func watch(of vehicle: LoggedInVehicle) -> WatchedTopics {
        if let watched, vehicle.id == self.vehicle { return watched }
        self.vehicle = vehicle.id
        let made = WatchedTopics(makeWatch(vehicle), clock: clock) { [updates = fleet.updates] in updates.announce() }
        watched = made
        return made
    }

    /// Stops watching all topics.
    package func end() {
        watched?.end()
        watched = nil
    }
}
