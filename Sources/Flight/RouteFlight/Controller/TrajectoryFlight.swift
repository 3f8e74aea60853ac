package import FlightControl
package import FlightVolume
package import Geodesy
internal import Trajectories
package import UAVLink

/// Plans, sends and flies a trajectory over one link, and monitors the flight.
///
/// Only plans that the user confirmed are sent (``FlightConfirmation``), and a sent plan is flown only on ``start()``.
/// ``RouteFlightController`` adds what the vehicle does with it; screens and subcommands use that.
@MainActor
package final class TrajectoryFlight {
    /// Timeouts, each with its reason.
    package struct Limits: Sendable {
        /// For the vehicle's limits and origin: over SSH, two calls of more than a second each.
        package var envelope: Duration = .seconds(10)
        /// For the vehicle's own world: over SSH, one call and a file. A companion of an older version does not answer this question, so
        /// all of this time passes before the world counts as unknown.
        package var world: Duration = .seconds(10)
        /// For an upload: over SSH, 100,000 samples are a file of 10 MB.
        package var upload: Duration = .seconds(180)
        /// For the answer to a command, as `FlightInteractor.Limits.answer`.
        package var answer: Duration = .seconds(15)

        /// Creates the timeouts for a real vehicle.
        package init() {}
    }

    package struct Progress: Hashable, Sendable {
        /// Whether the vehicle follows the trajectory.
        package var isTracking = false
        /// Whether it is flying to a goal, such as the start of the trajectory.
        package var hasGoal = false
        /// Index of the current sample.
        package var index = 0
        /// Number of samples reported by the vehicle.
        package var length = 0
        /// When the vehicle last reported that it follows the trajectory; `nil` before.
        package var trackedAt: MonotonicTime?

        package init() {}
        /// Flown fraction, 0 to 1.
        package var fraction: Double { length > 1 ? min(1, Double(index) / Double(length - 1)) : 0 }
    }

    package let link: any UAVLink
    let clock: any MonotonicClock
    let limits: Limits
    private var forecast = BatteryForecast()
    /// How long a full battery lasts at the rate that was measured last, seconds; on the ground no new one is.
    private var measuredEnduranceSeconds: Double?
    /// The remaining battery time from the vehicle's own history, which begins at the log-in; `nil` without one.
    package var batteryLeft: ((MonotonicTime) -> Duration?)?
    private var lastPoseAt: MonotonicTime?
    private var pendingSnapshots: [Int] = []
    private var reachedSample = -1

    /// The flight envelope reported by the vehicle; `nil` before it was read.
    package private(set) var envelope: FlightEnvelope?
    /// The vehicle's own world, as last read.
    package internal(set) var ownWorld = OwnWorld.notAsked
    /// When it was read; `nil` before.
    var worldReadAt: MonotonicTime?
    /// Where frames lie; set from the vehicle's origin, a world file or user input.
    package var session: WorldSession?
    /// The plan that was sent; `nil` before.
    package private(set) var loaded: TrajectoryPlan?
    /// Whether the vehicle changed points of the sent plan.
    package private(set) var isChangedByVehicle = false
    package private(set) var progress = Progress()
    /// The flown track of the sent plan.
    package private(set) var track: FlownTrack?
    /// The service that takes snapshots.
    package var snapshotService = Command.defaultSnapshotService

    /// Creates a flight over a connected link.
    package init(_ dependency: FlightDependency, limits: Limits = Limits()) {
        link = dependency.link
        clock = dependency.clock
        self.limits = limits
    }

    // MARK: Before

    /// Reads the vehicle's limits and the origin of its world.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    @discardableResult
    package func readEnvelope() async throws(LinkError) -> FlightEnvelope {
        guard let survey = link.capabilities.survey else {
            throw LinkError(.unsupported, "this link cannot read the flight envelope")
        }
        let read = try await survey.flightEnvelope(within: limits.envelope)
        envelope = read
        return read
    }

    /// The conditions known now, for a plan.
    package func conditions(_ settings: TrajectorySettings, volume: FlyableVolume?) -> FlightConditions {
        let telemetry = link.latestTelemetry
        let remaining = telemetry?.battery?.value.remaining
        if let left = batteryLeft?(clock.now) ?? forecast.left(at: clock.now), let remaining, remaining > 0 {
            measuredEnduranceSeconds = left.inSeconds / remaining
        }
        var conditions = FlightConditions(
            limits: envelope?.limits, volume: volume, vehiclePosition: vehiclePosition, batteryRemaining: remaining,
            measuredEnduranceSeconds: measuredEnduranceSeconds, settings: settings)
        conditions.vehicleGroundZMetres = groundZMetres ?? home?.z
        return conditions
    }

    /// Position of the vehicle, metres in `world_origin`; `nil` if unknown.
    package var vehiclePosition: Vector3? { WorldPosition(session: session).position(in: link.latestTelemetry) }
    /// The take-off position, metres in `world_origin`; `nil` while the vehicle flies, or if it is not known.
    package var home: Vector3? { WorldPosition(session: session).home(in: link.latestTelemetry) }
    /// z of the ground under the vehicle, metres in `world_origin`; `nil` if unknown.
    package var groundZMetres: Double? { WorldPosition(session: session).groundZ(in: link.latestTelemetry) }

    // MARK: Flying

    /// Sends a confirmed plan; this does not move the vehicle.
    ///
    /// - Parameter onProgress: fraction uploaded, 0 to 1; called on any thread.
    /// - Returns: the vehicle's answer; see ``isChangedByVehicle``.
    /// - Throws: ``TrajectoryFlightFailure``.
    @discardableResult
    package func send(
        _ confirmed: ConfirmedPlan, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(TrajectoryFlightFailure) -> CommandReply {
        let command = Command.uploadTrajectory(confirmed.plan.generated.trajectory)
        loaded = nil
        let reply: CommandReply
        do {
            if let bulk = link.capabilities.bulk {
                reply = try await bulk.perform(command, within: limits.upload, progress: onProgress)
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

    /// Adopts a plan that the vehicle already has from another sender, to fly and monitor it. Nothing is sent.
    package func adopt(_ plan: TrajectoryPlan) {
        loaded = plan
        isChangedByVehicle = false
        begin(plan)
    }

    /// Flies to the first sample of the sent plan.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func goToStart() async throws(TrajectoryFlightFailure) {
        try requireLoaded()
        try await perform(.goToTrajectoryStart)
    }

    /// Starts following the sent plan.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func start() async throws(TrajectoryFlightFailure) {
        try requireLoaded()
        if let loaded { begin(loaded) }
        try await perform(.startTrajectory)
    }

    /// Stops following and holds; it needs no sent plan, since stopping is always allowed.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func stop() async throws(TrajectoryFlightFailure) { try await perform(.stopTrajectory) }

    /// Stops at once, whatever the vehicle flies to.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func hover() async throws(TrajectoryFlightFailure) { try await perform(.hover) }

    /// Resumes where it was stopped.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func resume() async throws(TrajectoryFlightFailure) {
        try requireLoaded()
        try await perform(.resumeTrajectory)
    }

    // MARK: Watching

    /// Updates progress and flown track from the newest telemetry.
    ///
    /// - Returns: the points whose snapshots are due, counted from 0; each once.
    @discardableResult
    package func look() -> [Int] {
        guard let telemetry = link.latestTelemetry else { return [] }
        forecast.take(telemetry, at: clock.now)
        guard let tracker = telemetry.tracker else { return [] }
        progress.isTracking = tracker.value.isTrackingTrajectory
        progress.hasGoal = tracker.value.hasGoal
        if tracker.value.isTrackingTrajectory {
            progress.index = tracker.value.trajectoryIndex
            progress.length = tracker.value.trajectoryLength
            progress.trackedAt = tracker.at
        }
        guard let loaded else { return [] }
        if progress.isTracking {
            record(telemetry, tracker)
            reachedSample = max(reachedSample, tracker.value.trajectoryIndex)
        } else if isAtEndOfSamples(tracker) {
            // Tracking ends with the last sample, whose index is not always reported, and the vehicle may still be far from it.
            reachedSample = loaded.generated.trajectory.points.count
        }
        return dueSnapshots(loaded)
    }

    /// Takes a snapshot.
    ///
    /// - Throws: ``TrajectoryFlightFailure``.
    package func takeSnapshot() async throws(TrajectoryFlightFailure) {
        try await perform(.snapshot(service: snapshotService))
    }

    private func record(_ telemetry: Telemetry, _ tracker: Sample<TrackerStatus>) {
        guard let pose = telemetry.pose, pose.at != lastPoseAt,
            let position = WorldPosition(session: session).position(of: pose.value)
        else { return }
        lastPoseAt = pose.at
        track?.add(position, at: pose.at, planSeconds: planSeconds(tracker, at: pose.at))
    }

    /// Time along the plan, seconds: the reported sample index plus the time since that report.
    private func planSeconds(_ tracker: Sample<TrackerStatus>, at time: MonotonicTime) -> Double? {
        guard let loaded, tracker.value.trajectoryLength > 1 else { return nil }
        let share = Double(tracker.value.trajectoryIndex) / Double(tracker.value.trajectoryLength - 1)
        return share * loaded.generated.durationSeconds + (time - tracker.at).inSeconds
    }

    private func dueSnapshots(_ loaded: TrajectoryPlan) -> [Int] {
        let samples = loaded.generated.pointSamples
        let due = pendingSnapshots.filter { samples[$0] <= reachedSample }
        pendingSnapshots.removeAll { samples[$0] <= reachedSample }
        return due
    }

    private func begin(_ plan: TrajectoryPlan) {
        track = FlownTrack(plan.generated.trajectory)
        progress = Progress()
        reachedSample = -1
        lastPoseAt = nil
        pendingSnapshots = plan.generated.points.indices.filter { plan.generated.points[$0].takesSnapshot }
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
