public import FlightControl
public import Geodesy
internal import Trajectories
public import UAVLink

/// Plans, sends and flies a trajectory over one link, and watches how it goes.
///
/// Nothing is sent that a person did not say yes to (``FlightConfirmation``), and what was sent flies only when it is told
/// to start. Screens and subcommands call the same.
@MainActor
public final class TrajectoryFlight {
    /// Time limits, each with what chose it.
    public struct Limits: Sendable {
        /// For the vehicle's limits and origin: over SSH two calls of more than a second each.
        public var envelope: Duration = .seconds(10)
        /// For an upload: 100,000 samples over SSH are a file of 10 MB.
        public var upload: Duration = .seconds(180)
        /// For one command's answer, as `FlightInteractor.Limits.answer`.
        public var answer: Duration = .seconds(15)

        /// The limits for a real vehicle.
        public init() {}
    }

    /// How far the flight is.
    public struct Progress: Hashable, Sendable {
        /// Whether the vehicle follows the trajectory.
        public var isTracking = false
        /// Whether it is on its way somewhere (to the start, for one).
        public var hasGoal = false
        /// The sample it is at.
        public var index = 0
        /// How many the vehicle says that there are.
        public var length = 0

        /// Nothing yet.
        public init() {}
        /// How much of it is flown, 0 to 1.
        public var fraction: Double { length > 1 ? min(1, Double(index) / Double(length - 1)) : 0 }
    }

    /// The link.
    public let link: any UAVLink
    private let clock: any MonotonicClock
    private let limits: Limits
    private var forecast = BatteryForecast()
    private var lastPoseAt: MonotonicTime?
    private var snapshotsLeft: [Int] = []
    private var reachedSample = -1

    /// What the vehicle said that it allows; `nil` before it was asked.
    public private(set) var envelope: FlightEnvelope?
    /// Where frames lie; set by whoever knows (the vehicle's origin, a world file, a person).
    public var session: WorldSession?
    /// What was sent; `nil` before.
    public private(set) var loaded: TrajectoryPlan?
    /// Whether the vehicle changed points of what was sent.
    public private(set) var isChangedByVehicle = false
    /// How far the flight is.
    public private(set) var progress = Progress()
    /// What was flown of what was sent.
    public private(set) var track: FlownTrack?
    /// The service that takes snapshots.
    public var snapshotService = Command.usualSnapshotService

    /// A flight over a connected link.
    public init(_ dependency: FlightDependency, limits: Limits = Limits()) {
        link = dependency.link
        clock = dependency.clock
        self.limits = limits
    }

    // MARK: Before

    /// Asks the vehicle what it allows and where its world lies.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    @discardableResult
    public func readEnvelope() async throws(LinkError) -> FlightEnvelope {
        guard let survey = link as? any SurveyLink else {
            throw LinkError(.unsupported, "this link cannot ask the vehicle what it allows")
        }
        let read = try await survey.flightEnvelope(within: limits.envelope)
        envelope = read
        return read
    }

    /// What is known now, for a plan.
    public func conditions(_ settings: TrajectorySettings, volume: FlyableVolume?) -> FlightConditions {
        let telemetry = link.latestTelemetry
        let remaining = telemetry?.battery?.value.remaining
        var endurance: Double?
        if let left = forecast.left(at: clock.now), let remaining, remaining > 0 {
            endurance = left.inSeconds / remaining
        }
        return FlightConditions(
            limits: envelope?.limits, volume: volume, vehiclePosition: vehiclePosition, batteryRemaining: remaining,
            measuredEnduranceSeconds: endurance, settings: settings)
    }

    /// Where the vehicle is, metres in `world_origin`; `nil` when that is not known.
    public var vehiclePosition: Vector3? {
        link.latestTelemetry?.pose.flatMap { WorldPosition(session: session).position(of: $0.value) }
    }

    // MARK: Flying

    /// Sends a plan that a person said yes to; it does not move the vehicle.
    ///
    /// - Parameter told: how much has reached the vehicle, 0 to 1; called on any thread.
    /// - Returns: the vehicle's answer; see ``isChangedByVehicle``.
    /// - Throws: ``TrajectoryFlightFailure``.
    @discardableResult
    public func send(
        _ confirmed: ConfirmedPlan, told: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(TrajectoryFlightFailure) -> CommandReply {
        let command = Command.uploadTrajectory(confirmed.plan.generated.trajectory)
        loaded = nil
        let reply: CommandReply
        do {
            if let survey = link as? any SurveyLink {
                reply = try await survey.perform(command, within: limits.upload, progress: told)
            } else {
                reply = try await link.perform(command, within: limits.upload)
            }
        } catch {
            throw .vehicle(error.description)
        }
        try Self.accepted(reply, command)
        loaded = confirmed.plan
        isChangedByVehicle = reply.trajectoryModified
        begin(confirmed.plan)
        return reply
    }

    /// Takes a plan for what the vehicle has already, sent by somebody else: to fly it and to watch it. Nothing is sent.
    public func adopt(_ plan: TrajectoryPlan) {
        loaded = plan
        isChangedByVehicle = false
        begin(plan)
    }

    /// Flies to the first sample of what was sent.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    public func goToStart() async throws(TrajectoryFlightFailure) {
        try requireLoaded()
        try await perform(.goToTrajectoryStart)
    }

    /// Begins to follow what was sent.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    public func start() async throws(TrajectoryFlightFailure) {
        try requireLoaded()
        if let loaded { begin(loaded) }
        try await perform(.startTrajectory)
    }

    /// Stops following and holds. It needs nothing that was sent from here: stopping is always allowed.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    public func stop() async throws(TrajectoryFlightFailure) { try await perform(.stopTrajectory) }

    /// Goes on where it was stopped.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    public func resume() async throws(TrajectoryFlightFailure) {
        try requireLoaded()
        try await perform(.resumeTrajectory)
    }

    // MARK: Watching

    /// Looks at the newest telemetry: how far it is, and where it is flown.
    ///
    /// - Returns: the points whose snapshots are due, counted from 0; each once.
    @discardableResult
    public func look() -> [Int] {
        guard let telemetry = link.latestTelemetry else { return [] }
        if let remaining = telemetry.battery?.value.remaining { forecast.take(remaining, at: clock.now) }
        guard let tracker = telemetry.tracker else { return [] }
        let wasTracking = progress.isTracking
        progress.isTracking = tracker.value.isTrackingTrajectory
        progress.hasGoal = tracker.value.hasGoal
        if tracker.value.isTrackingTrajectory {
            progress.index = tracker.value.trajectoryIndex
            progress.length = tracker.value.trajectoryLength
        }
        guard let loaded else { return [] }
        if progress.isTracking {
            record(telemetry, tracker)
            reachedSample = max(reachedSample, tracker.value.trajectoryIndex)
        } else if wasTracking, progress.fraction > Self.nearlyDone {
            // It ends with the last sample, which is not always told.
            reachedSample = loaded.generated.trajectory.points.count
        }
        return dueSnapshots(loaded)
    }

    /// Has a snapshot taken.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    public func takeSnapshot() async throws(TrajectoryFlightFailure) {
        try await perform(.snapshot(service: snapshotService))
    }

    private func record(_ telemetry: Telemetry, _ tracker: Sample<TrackerStatus>) {
        guard let pose = telemetry.pose, pose.at != lastPoseAt,
            let position = WorldPosition(session: session).position(of: pose.value)
        else { return }
        lastPoseAt = pose.at
        track?.add(position, at: pose.at, planSeconds: planSeconds(tracker, at: pose.at))
    }

    /// How far along the plan the vehicle is: its own index, and the time since it told it.
    private func planSeconds(_ tracker: Sample<TrackerStatus>, at time: MonotonicTime) -> Double? {
        guard let loaded, tracker.value.trajectoryLength > 1 else { return nil }
        let share = Double(tracker.value.trajectoryIndex) / Double(tracker.value.trajectoryLength - 1)
        return share * loaded.generated.durationSeconds + (time - tracker.at).inSeconds
    }

    /// Tracking that ends beyond this came to its end; the index is told ten times a second.
    private static let nearlyDone = 0.98

    private func dueSnapshots(_ loaded: TrajectoryPlan) -> [Int] {
        let samples = loaded.generated.pointSamples
        let due = snapshotsLeft.filter { samples[$0] <= reachedSample }
        snapshotsLeft.removeAll { samples[$0] <= reachedSample }
        return due
    }

    private func begin(_ plan: TrajectoryPlan) {
        track = FlownTrack(plan.generated.trajectory)
        progress = Progress()
        reachedSample = -1
        lastPoseAt = nil
        snapshotsLeft = plan.generated.points.indices.filter { plan.generated.points[$0].takesSnapshot }
    }

    private func requireLoaded() throws(TrajectoryFlightFailure) {
        guard loaded != nil else { throw .nothingLoaded }
        guard !isChangedByVehicle else { throw .changedByVehicle }
    }

    private func perform(_ command: Command) async throws(TrajectoryFlightFailure) {
        let reply: CommandReply
        do {
            reply = try await link.perform(command, within: limits.answer)
        } catch {
            throw .vehicle(error.description)
        }
        try Self.accepted(reply, command)
    }

    private static func accepted(_ reply: CommandReply, _ command: Command) throws(TrajectoryFlightFailure) {
        guard reply.accepted else {
            throw .vehicle(FlightInteractor.Failure.refused(command: command.name, message: reply.message).description)
        }
    }
}
