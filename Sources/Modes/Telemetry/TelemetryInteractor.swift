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
    private let desk: TelemetryStore
    private let makeWatch: (LoggedInVehicle) -> any TopicWatching
    private var vehicle: Int?
    private var watched: WatchedTopics?
    /// What is known of the published topics, while a name is asked for.
    private(set) var topicList = TopicList.unknown
    /// The number of the request for that list.
    private var listRequest = 0

    /// The current state; `nil` if no vehicle is logged in.
    package private(set) var snapshot: VehicleSnapshot?
    /// The rates of the vehicle's topics, judged against its profile too.
    private(set) var rates = TopicRateReport([])
    private var ratesAt: MonotonicTime?
    /// The selected vehicle's last minute, recorded since log-in.
    package var history: VehicleHistory { fleet.selectedID.flatMap { fleet.history(of: $0) } ?? VehicleHistory() }

    /// Creates an interactor; it is updated by ``look()``.
    package init(
        fleet: Fleet, clock: any MonotonicClock, desk: TelemetryStore,
        makeWatch: @escaping (LoggedInVehicle) -> any TopicWatching
    ) {
        self.fleet = fleet
        self.clock = clock
        self.desk = desk
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
            closeTopicList()
            (rates, ratesAt) = (TopicRateReport([]), nil)
            // What was added before the screen was closed, or another vehicle was selected, is watched again.
            if let selected, !desk.topics(of: selected.id).isEmpty { _ = watch(of: selected) }
        }
        snapshot = selected?.snapshot(now: clock.now)
        judgeRates(profile: selected?.profile.rates ?? [:])
        return isAnother
    }

    /// Once for each time that they were measured: what was judged before counts.
    private func judgeRates(profile: [String: Double]) {
        guard let measured = snapshot?.telemetry?.topicRates, measured.at != ratesAt else { return }
        ratesAt = measured.at
        rates = TopicRateReport(measured.value, profile: profile, after: rates)
    }

    /// The vehicle's title for the user; `nil` if no vehicle is logged in.
    package var title: String? { fleet.selected?.title }

    /// What the selected vehicle can do; everything without one, so that all panels are shown.
    package var capabilities: VehicleCapabilities { fleet.selected?.link.vehicleCapabilities ?? .mrs }

    // MARK: Topics

    /// The added topics, in order.
    package var topics: [WatchedTopic] { watched?.topics ?? [] }

    /// Whether the selected vehicle is reached by its own protocol.
    var isReachedDirectly: Bool { fleet.selected?.link.kind == .direct }

    /// Why the selected vehicle never has topics; `nil` if it may have.
    var topicObstacle: LinkError? {
        guard let vehicle = fleet.selected else { return LinkError(.notConnected, "no vehicle is logged in") }
        // What the vehicle says itself may have come after the watch was made.
        return vehicle.topicObstacle ?? watch(of: vehicle).obstacle
    }

    /// Watches a topic of the selected vehicle; a name without a leading `/` is relative to the vehicle's namespace.
    ///
    /// - Returns: the complete name.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for an invalid topic name, a topic already watched, one too many,
    ///   or one that is not published; with `unsupported` if the link has no topics.
    package func addTopic(_ typed: String) throws(LinkError) -> String {
        guard let vehicle = fleet.selected else { throw LinkError(.notConnected, "no vehicle is logged in") }
        let name = try TopicName.complete(typed, vehicle: vehicle.profile.vehicle)
        guard topics.count < TopicLimits.watched else {
            throw LinkError(
                .invalidInput, "at most \(TopicLimits.watched) topics can be shown", hint: "remove one with x")
        }
        if let refusal = topicList.refusal(of: name, typed: typed) { throw refusal }
        guard watch(of: vehicle).add(name) else { throw LinkError(.invalidInput, "'\(name)' is already shown") }
        keepTopics(of: vehicle.id)
        return name
    }

    /// Stops watching a topic.
    package func removeTopic(at index: Int) {
        guard let vehicle, let watched else { return }
        watched.remove(at: index)
        keepTopics(of: vehicle)
    }

    private func keepTopics(of vehicle: LoggedInVehicle.ID) {
        desk.keep(topics.map(\.name), of: vehicle, among: fleet.vehicles)
    }

    /// Begins to ask for a name: the list of topics is to be requested.
    func openTopicList() {
        listRequest += 1
        topicList = .requested
    }

    /// Requests the list of topics. An answer that is no longer asked for is ignored.
    func fetchTopicList() async {
        let request = listRequest
        let answer: Result<[PublishedTopic], LinkError>
        do throws(LinkError) {
            answer = .success(try await publishedTopics())
        } catch {
            answer = .failure(error)
        }
        if request == listRequest { topicList = TopicList(answer) }
    }

    /// No name is asked for any longer: the list would be old the next time.
    func closeTopicList() {
        listRequest += 1
        topicList = .unknown
    }

    private func publishedTopics() async throws(LinkError) -> [PublishedTopic] {
        guard let vehicle = fleet.selected else { throw LinkError(.notConnected, "no vehicle is logged in") }
        return try await watch(of: vehicle).published(within: .seconds(10))
    }

    /// The watch of a vehicle; a new one begins with the topics that are kept.
    private func watch(of vehicle: LoggedInVehicle) -> WatchedTopics {
        if let watched, vehicle.id == self.vehicle { return watched }
        self.vehicle = vehicle.id
        let made = WatchedTopics(makeWatch(vehicle), clock: clock) { [updates = fleet.updates] in updates.announce() }
        watched = made
        for name in desk.topics(of: vehicle.id) { _ = made.add(name) }
        return made
    }

    /// Stops watching all topics; their names are kept.
    package func end() {
        watched?.end()
        watched = nil
    }
}
