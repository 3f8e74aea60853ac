package import UAVLink

/// The last minute of a vehicle: its trail, some figures, and its battery's discharge. Bounded.
package struct VehicleHistory: Sendable {
    /// How far back it goes.
    package static let span: Duration = .seconds(60)
    /// Values older than this are stale: repeated, they would look like constant measurements.
    package static let staleAge: Duration = .seconds(2)
    /// The least interval between points of the trail: at 4 m/s a point every 0.4 m.
    static let trailPeriod: Duration = .milliseconds(100)
    /// The interval between values of a figure.
    static let figurePeriod: Duration = .milliseconds(500)

    /// A figure with a history.
    package enum Figure: Int, CaseIterable, Sendable {
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
        /// Percent of the battery.
        case charge
    }

    private var poses = RingBuffer<Sample<Pose>>(capacity: 601)
    private var figures = Figure.allCases.map { _ in RingBuffer<Double?>(capacity: 120) }
    private var figuresAt: MonotonicTime?
    private var newest: Telemetry?
    private var forecast = BatteryForecast()
    private var outputLock = OutputLock()
    private var referenceHold = ReferenceHold()
    /// Where it was last seen on the ground; `nil` if it never was.
    package private(set) var home: Pose?

    /// Starts without history.
    package init() {}

    /// Adds the current values; a measurement is added only once.
    ///
    /// - Parameter quality: evaluated only when values of figures are due; the link sorts round trips for it.
    package mutating func take(
        _ telemetry: Telemetry?, _ quality: @autoclosure () -> LinkQuality, at now: MonotonicTime
    ) {
        if let pose = telemetry?.pose {
            take(pose)
            if telemetry?.standsOnGround == true { home = pose.value }
        }
        if let flight = telemetry?.flight { outputLock.take(flight) }
        if let telemetry {
            forecast.take(telemetry, at: telemetry.battery?.at ?? now)
            referenceHold.take(telemetry, at: now)
        }
        guard let first = nextFigures(now), first <= now else { return newest = telemetry }
        let quality = quality()
        // Up to now the previous values were the newest ones.
        while let due = nextFigures(now), due < now { addFigures(quality, at: due, now: now) }
        newest = telemetry
        advance(quality, to: now)
    }

    /// Adds the values of figures that are due, from the newest telemetry: without new telemetry ages grow, and values become
    /// stale.
    package mutating func advance(_ quality: @autoclosure () -> LinkQuality, to now: MonotonicTime) {
        guard let first = nextFigures(now), first <= now else { return }
        let quality = quality()
        while let due = nextFigures(now), due <= now { addFigures(quality, at: due, now: now) }
    }

    /// When the next values are due; none are added for times before the last minute.
    private func nextFigures(_ now: MonotonicTime) -> MonotonicTime? {
        guard let figuresAt else { return now }
        return max(figuresAt + Self.figurePeriod, now - Self.span)
    }

    private mutating func addFigures(_ quality: LinkQuality, at due: MonotonicTime, now: MonotonicTime) {
        figuresAt = due
        // The quality is that of now; how it was some time ago is not known.
        let quality = now - due < Self.staleAge ? quality : nil
        for figure in Figure.allCases { figures[figure.rawValue].append(value(of: figure, quality, due)) }
    }

    private mutating func take(_ pose: Sample<Pose>) {
        if let last = poses.last {
            // Positions in different frames do not form one trail.
            if pose.value.frame != last.value.frame {
                poses.removeAll()
            } else if pose.at - last.at < Self.trailPeriod {
                return
            }
        }
        poses.append(pose)
    }

    private func value(of figure: Figure, _ quality: LinkQuality?, _ at: MonotonicTime) -> Double? {
        switch figure {
        case .height: fresh(newest?.heightAboveGroundMetres, at)
        case .speed: fresh(newest?.velocityMetresPerSecond, at).map { Vector3(x: $0.x, y: $0.y, z: 0).length }
        case .battery: fresh(newest?.battery, at)?.voltageVolts
        case .roundTrip: roundTrip(quality, at)
        case .charge: fresh(newest?.battery, at)?.remaining.map { $0 * 100 }
        case .age: newest?.newest.map { (at - $0).inMilliseconds }
        }
    }

    /// Where only commands measure it, it is that of the last one.
    private func roundTrip(_ quality: LinkQuality?, _ at: MonotonicTime) -> Double? {
        guard let quality, quality.isConnected, quality.hasRoundTrip(since: at - Self.staleAge) else { return nil }
        return quality.roundTrip?.inMilliseconds
    }

    private func fresh<Value>(_ sample: Sample<Value>?, _ at: MonotonicTime) -> Value? {
        guard let sample, at - sample.at < Self.staleAge else { return nil }
        return sample.value
    }

    /// The trail of the last minute, oldest first; all poses are in the same frame.
    package func trail(at now: MonotonicTime) -> [Sample<Pose>] { poses.values.filter { now - $0.at <= Self.span } }

    /// The values of a figure in steps of half a second, oldest first; `nil` where unknown.
    package func series(of figure: Figure) -> [Double?] { figures[figure.rawValue].values }

    /// Whether the flight stack keeps its control output off after an emergency landing.
    var isOutputLocked: Bool { outputLock.isLocked }

    /// Whether it has taken no references for longer than a change of trackers takes.
    func takesNoReferences(now: MonotonicTime) -> Bool { referenceHold.hasLasted(now: now) }

    /// How long the battery will last; `nil` if it cannot be estimated.
    package func batteryLeft(at now: MonotonicTime) -> Duration? { forecast.left(at: now) }
}
