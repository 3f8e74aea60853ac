public import MRSMessages
internal import ROSMessages
public import UAVLink
internal import TextSearch

/// Assembles telemetry from the vehicle's messages. No clock, no I/O: each message is passed with the time it was
/// received.
///
/// Several topics carry the same value at different rates. The better source is used while it is fresh, the others when
/// it is silent, as over SSH, where only the slow topics are read. A value out of bounds (`TelemetryBounds`) is counted
/// and dropped, so that the last good one stays and its age grows. NaN, which ROS uses for "not measured", is dropped
/// without counting.
public struct TelemetryAssembler: Sendable {
    /// How long a source suppresses worse ones: five periods of the slowest that does (10 Hz).
    private static let freshness: Duration = .milliseconds(500)

    /// The telemetry so far.
    public private(set) var telemetry: Telemetry
    /// Whether odometry, constraints and gains have all been received: from then on the flight stack accepts commands.
    public var isStackReady: Bool { hasOdometry && hasConstraints && hasGains }

    /// This machine's wall clock minus its monotonic clock, nanoseconds; converts the stamps of messages to instants.
    public var wallMinusClock: Int64? {
        get { poseStamps.wallMinusClock }
        set { poseStamps.wallMinusClock = newValue }
    }

    /// Whether the graph runs on simulated time; `nil` if it is not known. Stamps then say nothing about ages.
    public var isTimeSimulated: Bool? {
        get { poseStamps.isTimeSimulated }
        set {
            poseStamps.isTimeSimulated = newValue
            telemetry.stampClock = poseStamps.clock
        }
    }

    private var flight = FlightStateDerivation()
    private var hasOdometry = false
    private var hasConstraints = false
    private var hasGains = false
    private var poseFrom = Source.none
    private var poseStamps = PoseStamps()
    private var velocityFrom = Source.none
    private var heightFrom = Source.none
    private var armedAt: MonotonicTime?
    private var hasHardwareStatus = false

    /// Where a value came from, in ascending quality.
    private enum Source: Int {
        case none, diagnostics, odometry, state, own
    }

    private let counted: [VehicleTopic]
    private var meter: TopicRateMeter
    private var ratesUpdatedAt: MonotonicTime?

    /// How often the rates are updated; they are means over seconds.
    private static let ratePeriod: Duration = .seconds(1)

    /// Starts without data on the given vehicle.
    ///
    /// - Parameter topics: the subscribed topics, whose rates are measured.
    public init(vehicle: String, counting topics: [VehicleTopic] = []) {
        telemetry = Telemetry(vehicle: vehicle)
        counted = topics
        meter = TopicRateMeter(topics.map(\.rawValue))
    }

    // MARK: Rates

    /// Counts a message of the topic, whatever its content.
    public mutating func arrived(_ topic: VehicleTopic, at now: MonotonicTime) {
        guard let index = counted.firstIndex(of: topic) else { return }
        meter.count(index, at: now)
        if let ratesUpdatedAt, now - ratesUpdatedAt < Self.ratePeriod { return }
        guard let rates = meter.rates(at: now) else { return }
        ratesUpdatedAt = now
        telemetry.topicRates = Sample(rates, at: now)
    }

    private func takes(
        _ source: Source, over current: Source, of since: MonotonicTime?, at now: MonotonicTime
    ) -> Bool {
        guard let since, source.rawValue < current.rawValue else { return true }
        return now - since > Self.freshness
    }

    // MARK: Pose and velocity

    /// `estimation_manager/odom_main`: the twist is in the body frame.
    public mutating func take(_ message: NavMsgs.Odometry, at now: MonotonicTime) {
        hasOdometry = true
        take(message.pose.pose, message.header, from: .odometry, at: now)
        if let velocity = message.pose.pose.orientation.rotate(Vector3(message.twist.twist.linear)) {
            take(velocity: velocity, from: .odometry, at: now)
        }
    }

    /// `estimation_manager/uav_state`: the velocity is in the world frame.
    public mutating func take(_ message: MRSMsgs.UavState, at now: MonotonicTime) {
        take(message.pose, message.header, from: .state, at: now)
        take(velocity: Vector3(message.velocity.linear), from: .state, at: now)
    }

    /// `estimation_manager/diagnostics`: pose, velocity (world frame) and height at 10 Hz, and the estimator.
    public mutating func take(_ message: MRSMsgs.EstimationDiagnostics, at now: MonotonicTime) {
        take(message.pose, message.header, from: .diagnostics, at: now)
        take(velocity: Vector3(message.velocity.linear), from: .diagnostics, at: now)
        take(height: message.aglHeight, from: .diagnostics, at: now)
        telemetry.estimator = Sample(
            EstimatorStatus(
                name: message.currentStateEstimator,
                // A value out of bounds means "none".
                ceilingMetres: TelemetryBounds.height(message.maxFlightZ)),
            at: now)
    }

    /// `estimation_manager/height_agl`.
    public mutating func take(heightAboveGround message: MRSMsgs.Float64Stamped, at now: MonotonicTime) {
        take(height: message.value, from: .own, at: now)
    }

    private mutating func take(
        _ pose: GeometryMsgs.Pose, _ header: StdMsgs.Header, from source: Source, at now: MonotonicTime
    ) {
        guard let heading = pose.orientation.headingRadians else { return }
        let measured = Pose(
            frame: FrameName(header.frameID),
            positionMetres: Vector3(x: pose.position.x, y: pose.position.y, z: pose.position.z), headingRadians: heading
        )
        guard let pose = telemetry.rejected.checked(Sample(measured, at: now), .position, TelemetryBounds.pose),
            takes(source, over: poseFrom, of: telemetry.pose?.at, at: now)
        else { return }
        poseFrom = source
        telemetry.pose = pose
        poseStamps.note(header.stamp, ofPoseAt: now)
        telemetry.stampClock = poseStamps.clock
    }

    /// The header stamp of the message from which the pose of that time was taken, converted by ``wallMinusClock``; `nil`
    /// if it had none, is no longer remembered, or is of simulated time (``isTimeSimulated``).
    public func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? { poseStamps.stamp(ofPoseAt: instant) }

    private mutating func take(velocity: Vector3, from source: Source, at now: MonotonicTime) {
        let sample = Sample(velocity, at: now)
        guard let velocity = telemetry.rejected.checked(sample, .velocity, TelemetryBounds.velocity),
            takes(source, over: velocityFrom, of: telemetry.velocityMetresPerSecond?.at, at: now)
        else { return }
        velocityFrom = source
        telemetry.velocityMetresPerSecond = velocity
    }

    private mutating func take(height: Double, from source: Source, at now: MonotonicTime) {
        let sample = Sample(height, at: now)
        guard let height = telemetry.rejected.checked(sample, .height, TelemetryBounds.height),
            takes(source, over: heightFrom, of: telemetry.heightAboveGroundMetres?.at, at: now)
        else { return }
        heightFrom = source
        telemetry.heightAboveGroundMetres = height
    }

    // MARK: Battery and satellites

    /// `hw_api/battery_state`.
    public mutating func take(_ message: SensorMsgs.BatteryState, at now: MonotonicTime) {
        guard message.voltage.isFinite else { return }
        // ROS defines a discharging current as negative; the flight stack's simulators report it as positive. The
        // battery counts as charging only if it reports so.
        let isCharging = message.powerSupplyStatus == SensorMsgs.BatteryState.powerSupplyStatusCharging
        let magnitude = Double(abs(message.current))
        // If the charge is not measured, 0 % of an absent battery is reported, or NaN.
        let share = Double(message.percentage)
        let isMeasured = (0...1).contains(share) && (message.present || share > 0)
        let battery = Battery(
            voltageVolts: Double(message.voltage),
            currentAmperes: magnitude.isFinite ? (isCharging ? -magnitude : magnitude) : nil,
            remaining: isMeasured ? share : nil)
        guard
            let battery = telemetry.rejected.checked(Sample(battery, at: now), .battery, TelemetryBounds.battery)
        else { return }
        telemetry.battery = battery
    }

    /// `hw_api/distance_sensor`: values outside the sensor's range are ignored.
    public mutating func take(_ message: SensorMsgs.Range, at now: MonotonicTime) {
        let metres = Double(message.range)
        guard metres.isFinite, metres >= Double(message.minRange), metres <= Double(message.maxRange) else { return }
        guard let range = telemetry.rejected.checked(Sample(metres, at: now), .range, TelemetryBounds.range) else {
            return
        }
        telemetry.rangeFinderMetres = range
    }

    /// `hw_api/gnss`.
    public mutating func take(_ message: SensorMsgs.NavSatFix, at now: MonotonicTime) {
        let values = [message.latitude, message.longitude, message.altitude]
        guard values.allSatisfy(\.isFinite) else { return }
        let fix = GNSSFix(
            quality: GNSSFix.Quality(rawValue: message.status.status) ?? .none,
            latitudeDegrees: message.latitude, longitudeDegrees: message.longitude,
            altitudeMetres: message.altitude, horizontalAccuracyMetres: message.horizontalAccuracyMetres)
        guard let fix = telemetry.rejected.checked(Sample(fix, at: now), .gnss, TelemetryBounds.gnss) else { return }
        telemetry.gnss = fix
    }

    // MARK: Flight

    /// `hw_api/status`.
    public mutating func take(_ message: MRSMsgs.HwApiStatus, at now: MonotonicTime) {
        hasHardwareStatus = true
        take(isArmed: message.armed, isOffboard: message.offboard, at: now)
    }

    private mutating func take(isArmed: Bool, isOffboard: Bool?, at now: MonotonicTime) {
        (flight.isArmed, flight.isOffboard, armedAt) = (isArmed, isOffboard, now)
        updateFlight()
    }

    /// `control_manager/diagnostics`.
    public mutating func take(_ message: MRSMsgs.ControlManagerDiagnostics, at now: MonotonicTime) {
        flight.control = message
        let status = message.trackerStatus
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: message.activeTracker, controller: message.activeController,
                takesReferences: message.flyingNormally && status.callbacksEnabled, hasGoal: status.haveGoal,
                isTrackingTrajectory: status.trackingTrajectory, trajectoryIndex: Int(status.trajectoryIdx),
                trajectoryLength: Int(status.trajectoryLength)),
            at: now)
        updateFlight()
    }

    /// `mrs_uav_status/uav_status`: 1 Hz, for arming and mode where `hw_api/status` is not read.
    ///
    /// It repeats what it received last, however old that is, and says disarmed before that; then its rate of `hw_api/status` is zero.
    public mutating func take(_ message: MRSMsgs.UavStatus, at now: MonotonicTime) {
        guard !hasHardwareStatus, message.hwApiStateHz > 0 else { return }
        let mode = message.hwApiMode.uppercased()
        take(isArmed: message.hwApiArmed, isOffboard: mode.isEmpty ? nil : mode.includes("OFFBOARD"), at: now)
    }

    /// `constraint_manager/diagnostics`.
    public mutating func take(_: MRSMsgs.ConstraintManagerDiagnostics) { hasConstraints = true }

    /// `gain_manager/diagnostics`.
    public mutating func take(_: MRSMsgs.GainManagerDiagnostics) { hasGains = true }

    /// A topic that says what the vehicle does, and was heard before, but no longer; `nil` if there is none.
    ///
    /// Subscribers to setpoints are no sign that the vehicle obeys them: recorders subscribe too, and a node may hang.
    package func silentTopic(now: MonotonicTime) -> VehicleTopic? {
        if let tracker = telemetry.tracker, tracker.age(now: now) > Self.longestDiagnosticsGap {
            return .controlDiagnostics
        }
        if let armedAt, now - armedAt > Self.longestStatusGap { return .hardwareStatus }
        return nil
    }

    /// Twenty periods of the control manager's diagnostics at 10 Hz.
    private static let longestDiagnosticsGap: Duration = .seconds(2)
    /// Autopilots send their state as slowly as once a second, and so does `uav_status`, which may stand for it.
    private static let longestStatusGap: Duration = .seconds(3)

    /// The status is as old as the oldest of what it is derived from.
    private mutating func updateFlight() {
        let status = flight.status(after: telemetry.flight?.value.state ?? .unknown)
        // A disarmed vehicle is that whatever its trackers do.
        let controlAt = status.state == .disarmed ? nil : telemetry.tracker?.at
        guard let oldest = armedAt.map({ min($0, controlAt ?? $0) }) ?? controlAt else { return }
        telemetry.flight = Sample(status, at: oldest)
    }

    // MARK: Words

    /// A line of `/rosout`: warnings and errors of this vehicle's own nodes are kept; a repeated one only once.
    public mutating func take(_ message: RosgraphMsgs.Log, at now: MonotonicTime) {
        guard message.level >= RosgraphMsgs.Log.warn, message.name.hasPrefix("/\(telemetry.vehicle)/") else { return }
        let said = VehicleMessage(
            severity: message.level >= RosgraphMsgs.Log.error ? .error : .warning,
            text: String(message.msg.prefix(Self.maximumMessageCharacters)))
        telemetry.messages.removeAll { $0.value == said }
        telemetry.append(Sample(said, at: now))
    }

    /// Longer messages are truncated; a screen shows less.
    private static let maximumMessageCharacters = 500
}

extension Vector3 {
    init(_ vector: GeometryMsgs.Vector3) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

extension SensorMsgs.NavSatFix {
    /// The horizontal standard deviation: the root of the mean of the variances to east and north.
    fileprivate var horizontalAccuracyMetres: Double? {
        guard positionCovarianceType != Self.covarianceTypeUnknown, positionCovariance.count == 9 else { return nil }
        let variance = (positionCovariance[0] + positionCovariance[4]) / 2
        return variance.isFinite && variance >= 0 ? variance.squareRoot() : nil
    }
}
