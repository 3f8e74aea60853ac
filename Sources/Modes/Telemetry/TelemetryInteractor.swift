public import FlightControl
public import UAVCore
public import UAVLink
internal import VehicleAccess

/// Looks at the selected vehicle, keeps what was in the last minute, and watches the topics that were added.
///
/// When another vehicle is selected all of it starts anew.
@MainActor
public final class TelemetryInteractor {
    private let fleet: Fleet
    private let clock: any MonotonicClock
    private let makeWatch: (LoggedInVehicle) -> any TopicWatching
    private var vehicle: Int?
    private var watched: WatchedTopics?

    /// What is known now; `nil` when nobody is logged in.
    public private(set) var snapshot: VehicleSnapshot?
    /// What was in the last minute.
    public private(set) var history = TelemetryHistory()

    /// An interactor; it looks when it is told to.
    public init(
        fleet: Fleet, clock: any MonotonicClock, makeWatch: @escaping (LoggedInVehicle) -> any TopicWatching
    ) {
        self.fleet = fleet
        self.clock = clock
        self.makeWatch = makeWatch
    }

    /// Looks at the vehicle.
    ///
    /// - Returns: whether it is another one than at the last look.
    public func look() -> Bool {
        let now = clock.now
        let selected = fleet.selected
        let isAnother = selected?.id != vehicle
        if isAnother {
            vehicle = selected?.id
            history = TelemetryHistory()
            watched?.end()
            watched = nil
        }
        snapshot = selected?.snapshot(now: now)
        if let snapshot { history.take(snapshot.telemetry, snapshot.quality, at: now) }
        return isAnother
    }

    /// The vehicle's title for people; `nil` when nobody is logged in.
    public var title: String? { fleet.selected?.title }

    // MARK: Topics

    /// The topics that were added, in their order.
    public var topics: [WatchedTopic] { watched?.topics ?? [] }

    /// Begins to watch a topic of the selected vehicle; a name without a leading `/` is below the vehicle's own.
    ///
    /// - Returns: the complete name.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` for what cannot be a topic's name, one that is watched already,
    ///   or one too many.
    public func addTopic(_ typed: String) throws(LinkError) -> String {
        guard let vehicle = fleet.selected else { throw LinkError(.notConnected, "nobody is logged in") }
        let name = try TopicName.complete(typed, vehicle: vehicle.profile.vehicle)
        guard topics.count < TopicLimits.watched else {
            throw LinkError(
                .invalidInput, "\(TopicLimits.watched) topics are shown already", hint: "remove one with x first")
        }
        guard watch(of: vehicle).add(name) else { throw LinkError(.invalidInput, "'\(name)' is shown already") }
        return name
    }

    /// Ends a topic.
    public func removeTopic(at index: Int) { watched?.remove(at: index) }

    /// The topics that are published, by name.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    public func publishedTopics() async throws(LinkError) -> [PublishedTopic] {
        guard let vehicle = fleet.selected else { throw LinkError(.notConnected, "nobody is logged in") }
        return try await watch(of: vehicle).published(within: .seconds(10))
    }

    private func watch(of vehicle: LoggedInVehicle) -> WatchedTopics {
        if let watched, vehicle.id == self.vehicle { return watched }
        self.vehicle = vehicle.id
        let made = WatchedTopics(makeWatch(vehicle), clock: clock)
        watched = made
        return made
    }

    /// Ends what was begun.
    public func end() {
        watched?.end()
        watched = nil
    }
}
