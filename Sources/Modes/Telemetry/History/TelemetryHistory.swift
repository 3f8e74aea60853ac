internal import FlightControl
public import UAVLink

/// The history of the last minute: the trail and some figures.
public struct TelemetryHistory: Sendable {
    /// How far back it goes.
    public static let span: Duration = .seconds(60)
    /// The interval between points of the trail.
    static let trailPeriod: Duration = .milliseconds(200)
    /// The interval between values of a figure.
    static let figurePeriod: Duration = .milliseconds(500)

    /// A figure with a history.
    public enum Figure: Int, CaseIterable, Sendable {
        /// Metres above ground.
        case height
        /// Metres per second over ground.
        case speed
        /// Volts.
        case battery
        /// Milliseconds.
        case roundTrip
        /// Milliseconds.
        case age
    }

    /// A past position of the vehicle.
    public struct Place: Hashable, Sendable {
        /// The time, on this machine's clock.
        public var at: MonotonicTime
        /// ENU metres in the trail's frame.
        public var position: Vector3
    }

    private var trail = RingBuffer<Place>(capacity: 301)
    private var trailFrame: FrameName?
    private var figures = Figure.allCases.map { _ in RingBuffer<Double?>(capacity: 120) }
    private var figuresAt: MonotonicTime?
    private var forecast = BatteryForecast()

    /// Starts without history.
    public init() {}

    /// Adds the current values; a measurement is added only once.
    public mutating func take(_ telemetry: Telemetry?, _ quality: LinkQuality, at now: MonotonicTime) {
        if let pose = telemetry?.pose { take(pose) }
        if let battery = telemetry?.battery, let remaining = battery.value.remaining {
            forecast.take(remaining, at: battery.at)
        }
        if let last = figuresAt, now - last < Self.figurePeriod { return }
        figuresAt = now
        for figure in Figure.allCases { figures[figure.rawValue].append(value(of: figure, telemetry, quality, now)) }
    }

    private mutating func take(_ pose: Sample<Pose>) {
        // Positions in different frames do not form one trail.
        if pose.value.frame != trailFrame {
            trail.removeAll()
            trailFrame = pose.value.frame
        }
        if let last = trail.last, pose.at - last.at < Self.trailPeriod { return }
        trail.append(Place(at: pose.at, position: pose.value.positionMetres))
    }

    private func value(
        of figure: Figure, _ telemetry: Telemetry?, _ quality: LinkQuality, _ now: MonotonicTime
    ) -> Double? {
        switch figure {
        case .height: fresh(telemetry?.heightAboveGroundMetres, now)
        case .speed: fresh(telemetry?.velocityMetresPerSecond, now).map { Vector3(x: $0.x, y: $0.y, z: 0).length }
        case .battery: fresh(telemetry?.battery, now)?.voltageVolts
        case .roundTrip: quality.isConnected ? quality.roundTrip?.inMilliseconds : nil
        case .age: telemetry?.newest.map { (now - $0).inMilliseconds }
        }
    }

    /// `nil` for a stale value: repeated, it would look like a constant measurement.
    private func fresh<Value>(_ sample: Sample<Value>?, _ now: MonotonicTime) -> Value? {
        guard let sample, now - sample.at < MaximumAge.silent else { return nil }
        return sample.value
    }

    /// The trail of the last minute, oldest first.
    public func trail(at now: MonotonicTime) -> [Place] { trail.values.filter { now - $0.at <= Self.span } }

    /// The values of a figure in steps of half a second, oldest first; `nil` where unknown.
    public func course(of figure: Figure) -> [Double?] { figures[figure.rawValue].values }

    /// How long the battery will last; `nil` if it cannot be estimated.
    public func batteryLeft(at now: MonotonicTime) -> Duration? { forecast.left(at: now) }
}

/// The maximum ages of the parts of telemetry.
enum MaximumAge {
    /// Position, velocity, height, flight state: sent at 50 Hz.
    static let fast: Duration = .milliseconds(500)
    /// Battery, satellites, tracker, estimator: sent at 5 Hz, over SSH some of them at 1 Hz.
    static let slow: Duration = .seconds(2)
    /// Rates are counted over seconds.
    static let rates: Duration = .seconds(4)
    /// Values older than this are stale.
    static let silent: Duration = .seconds(2)
}
