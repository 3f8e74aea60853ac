internal import FlightControl
public import UAVLink

/// What is kept of the last minute: the trail and a few figures.
public struct TelemetryHistory: Sendable {
    /// How far back it goes.
    public static let span: Duration = .seconds(60)
    /// From one point of the trail to the next.
    static let trailPeriod: Duration = .milliseconds(200)
    /// From one value of a figure to the next.
    static let figurePeriod: Duration = .milliseconds(500)

    /// A figure whose course is shown.
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

    /// Where the vehicle was.
    public struct Place: Hashable, Sendable {
        /// When, on this machine's clock.
        public var at: MonotonicTime
        /// ENU metres in the trail's frame.
        public var position: Vector3
    }

    private var trail = RingBuffer<Place>(capacity: 301)
    private var trailFrame: FrameName?
    private var figures = Figure.allCases.map { _ in RingBuffer<Double?>(capacity: 120) }
    private var figuresAt: MonotonicTime?
    private var forecast = BatteryForecast()

    /// Nothing yet.
    public init() {}

    /// Takes what is known now; what was measured already is not taken twice.
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
        // Positions in two frames make no line.
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

    /// An old value again and again would look like a measurement that stays the same.
    private func fresh<Value>(_ sample: Sample<Value>?, _ now: MonotonicTime) -> Value? {
        guard let sample, now - sample.at < PartAge.silent else { return nil }
        return sample.value
    }

    /// The trail of the last minute, oldest first.
    public func trail(at now: MonotonicTime) -> [Place] { trail.values.filter { now - $0.at <= Self.span } }

    /// The course of a figure in steps of half a second, oldest first; `nil` where it was not known.
    public func course(of figure: Figure) -> [Double?] { figures[figure.rawValue].values }

    /// How long the battery will last; `nil` while nothing can be said.
    public func batteryLeft(at now: MonotonicTime) -> Duration? { forecast.left(at: now) }
}

/// How old the parts of telemetry may be.
enum PartAge {
    /// Position, velocity, height, flight state: sent 50 times a second.
    static let fast: Duration = .milliseconds(500)
    /// Battery, satellites, tracker, estimator: sent five times a second, and over SSH some of them once.
    static let slow: Duration = .seconds(2)
    /// Rates are counted over seconds.
    static let rates: Duration = .seconds(4)
    /// What is older than this is no longer what is.
    static let silent: Duration = .seconds(2)
}
