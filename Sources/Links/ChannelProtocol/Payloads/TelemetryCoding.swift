internal import UAVLink

/// Telemetry on the wire: each part with its age at sending, in microseconds.
///
/// A part that is absent or has a non-finite number is not sent and becomes absent on the ground. The ground also rejects and
/// counts values that no vehicle can have (`TelemetryBounds`).
enum TelemetryCoding {
    /// The fast parts: pose, velocity, height above ground, flight state.
    static func writeState(_ telemetry: Telemetry, sent: MonotonicTime, _ writer: inout WireWriter) {
        let pose = telemetry.pose.flatMap { part in
            part.value.positionMetres.isFinite && part.value.headingRadians.isFinite && part.value.frame.isValid
                ? part : nil
        }
        let velocity = telemetry.velocityMetresPerSecond.flatMap { $0.value.isFinite ? $0 : nil }
        let height = telemetry.heightAboveGroundMetres.flatMap { $0.value.isFinite ? $0 : nil }
        let flight = telemetry.flight
        writer.put(FrameKind.state)
        writer.put(sent.nanoseconds)
        writer.put(mask(pose != nil, velocity != nil, height != nil, flight != nil))
        if let pose {
            writer.put(age: pose.at, sent)
            writer.put(text: pose.value.frame.name, limit: ChannelLimits.name)
            writer.put(pose.value.positionMetres)
            writer.put(pose.value.headingRadians)
        }
        if let velocity {
            writer.put(age: velocity.at, sent)
            writer.put(velocity.value)
        }
        if let height {
            writer.put(age: height.at, sent)
            writer.put(height.value)
        }
        if let flight {
            writer.put(age: flight.at, sent)
            writer.put(flight.value.state.rawValue)
            let value = flight.value
            writer.put(mask(value.isArmed, value.isOffboard, value.isOutputEnabled, value.isFlyingNormally))
        }
    }

    /// The slow parts: battery, satellite navigation, tracker, estimator.
    static func writeDetails(_ telemetry: Telemetry, sent: MonotonicTime, _ writer: inout WireWriter) {
        // One without a voltage is among the extras.
        let battery = telemetry.battery.flatMap { part -> (Sample<Battery>, volts: Double)? in
            guard let volts = part.value.voltageVolts, volts.isFinite else { return nil }
            return (part, volts)
        }
        let gnss = telemetry.gnss.flatMap { part in
            let fix = part.value
            return fix.latitudeDegrees.isFinite && fix.longitudeDegrees.isFinite && fix.altitudeMetres.isFinite
                ? part : nil
        }
        writer.put(FrameKind.details)
        writer.put(sent.nanoseconds)
        writer.put(mask(battery != nil, gnss != nil, telemetry.tracker != nil, telemetry.estimator != nil))
        if let (battery, volts) = battery {
            writer.put(age: battery.at, sent)
            writer.put(volts)
            writer.put(battery.value.currentAmperes)
            writer.put(battery.value.remaining)
        }
        if let gnss {
            writer.put(age: gnss.at, sent)
            writer.put(gnss.value.quality.rawValue)
            writer.put(gnss.value.latitudeDegrees)
            writer.put(gnss.value.longitudeDegrees)
            writer.put(gnss.value.altitudeMetres)
            writer.put(gnss.value.horizontalAccuracyMetres)
        }
        if let tracker = telemetry.tracker {
            writer.put(age: tracker.at, sent)
            let value = tracker.value
            writer.put(text: value.tracker, limit: ChannelLimits.name)
            writer.put(text: value.controller, limit: ChannelLimits.name)
            writer.put(mask(value.takesReferences, value.hasGoal, value.isTrackingTrajectory, false))
            writer.put(UInt32(clamping: value.trajectoryIndex))
            writer.put(UInt32(clamping: value.trajectoryLength))
        }
        if let estimator = telemetry.estimator {
            writer.put(age: estimator.at, sent)
            writer.put(text: estimator.value.name, limit: ChannelLimits.name)
            writer.put(estimator.value.ceilingMetres)
        }
    }

    /// Reads what ``writeState(_:sent:_:)`` wrote; `local` converts the time of sending to this machine's clock.
    static func readState(
        _ reader: inout WireReader, into telemetry: inout Telemetry, local: (Int64) -> MonotonicTime
    ) throws(WireError) {
        let sent = local(try reader.integer())
        let parts = try reader.mask()
        var pose: Sample<Pose>?
        var velocity: Sample<Vector3>?
        var height: Sample<Double>?
        var flight: Sample<FlightStatus>?
        if parts & 1 != 0 {
            let at = try reader.instant(sent)
            let frame = FrameName(try reader.text(limit: ChannelLimits.name))
            guard frame.isValid else { throw .invalid }
            let position = try reader.vector()
            pose = Sample(Pose(frame: frame, positionMetres: position, headingRadians: try reader.finite()), at: at)
        }
        if parts & 2 != 0 {
            let at = try reader.instant(sent)
            velocity = Sample(try reader.vector(), at: at)
        }
        if parts & 4 != 0 {
            let at = try reader.instant(sent)
            height = Sample(try reader.finite(), at: at)
        }
        if parts & 8 != 0 {
            let at = try reader.instant(sent)
            guard let state = FlightState(rawValue: try reader.integer()) else { throw .invalid }
            let switches = try reader.mask()
            flight = Sample(
                FlightStatus(
                    state: state, isArmed: switches & 1 != 0, isOffboard: switches & 2 != 0,
                    isOutputEnabled: switches & 4 != 0, isFlyingNormally: switches & 8 != 0), at: at)
        }
        try reader.end()
        telemetry.pose = pose.flatMap { telemetry.rejected.checked($0, .position, TelemetryBounds.pose) }
        telemetry.velocityMetresPerSecond = velocity.flatMap {
            telemetry.rejected.checked($0, .velocity, TelemetryBounds.velocity)
        }
        telemetry.heightAboveGroundMetres = height.flatMap {
            telemetry.rejected.checked($0, .height, TelemetryBounds.height)
        }
        telemetry.flight = flight
    }

    /// Reads what ``writeDetails(_:sent:_:)`` wrote.
    static func readDetails(
        _ reader: inout WireReader, into telemetry: inout Telemetry, local: (Int64) -> MonotonicTime
    ) throws(WireError) {
        let sent = local(try reader.integer())
        let parts = try reader.mask()
        var battery: Sample<Battery>?
        var gnss: Sample<GNSSFix>?
        var tracker: Sample<TrackerStatus>?
        var estimator: Sample<EstimatorStatus>?
        if parts & 1 != 0 {
            let at = try reader.instant(sent)
            battery = Sample(
                Battery(
                    voltageVolts: try reader.finite(), currentAmperes: try reader.optionalNumber(),
                    remaining: try reader.optionalNumber()), at: at)
        }
        if parts & 2 != 0 {
            let at = try reader.instant(sent)
            guard let quality = GNSSFix.Quality(rawValue: try reader.integer()) else { throw .invalid }
            gnss = Sample(
                GNSSFix(
                    quality: quality, latitudeDegrees: try reader.finite(), longitudeDegrees: try reader.finite(),
                    altitudeMetres: try reader.finite(), horizontalAccuracyMetres: try reader.optionalNumber()), at: at)
        }
        if parts & 4 != 0 {
            let at = try reader.instant(sent)
            let name = try reader.text(limit: ChannelLimits.name)
            let controller = try reader.text(limit: ChannelLimits.name)
            let flags = try reader.mask()
            tracker = Sample(
                TrackerStatus(
                    tracker: name, controller: controller, takesReferences: flags & 1 != 0, hasGoal: flags & 2 != 0,
                    isTrackingTrajectory: flags & 4 != 0, trajectoryIndex: Int(try reader.integer(UInt32.self)),
                    trajectoryLength: Int(try reader.integer(UInt32.self))), at: at)
        }
        if parts & 8 != 0 {
            let at = try reader.instant(sent)
            estimator = Sample(
                EstimatorStatus(
                    name: try reader.text(limit: ChannelLimits.name),
                    ceilingMetres: try reader.optionalNumber().flatMap(TelemetryBounds.height)),
                at: at)
        }
        try reader.end()
        let hasNone = battery == nil && telemetry.battery?.value.voltageVolts == nil
        if !hasNone {
            telemetry.battery = battery.flatMap { telemetry.rejected.checked($0, .battery, TelemetryBounds.battery) }
        }
        telemetry.gnss = gnss.flatMap { telemetry.rejected.checked($0, .gnss, TelemetryBounds.gnss) }
        telemetry.tracker = tracker
        telemetry.estimator = estimator
    }

    /// Four flags in the low bits of a byte.
    private static func mask(_ first: Bool, _ second: Bool, _ third: Bool, _ fourth: Bool) -> UInt8 {
        (first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0) | (fourth ? 8 : 0)
    }
}

extension WireWriter {
    mutating func put(_ vector: Vector3) {
        put(vector.x)
        put(vector.y)
        put(vector.z)
    }

    /// The age in microseconds, saturated at the largest `UInt32` (71 minutes).
    mutating func put(age at: MonotonicTime, _ sent: MonotonicTime) {
        put(UInt32(clamping: max(0, (sent - at).nanoseconds) / 1000))
    }

    mutating func put(_ number: Double?) {
        let known = number.flatMap { $0.isFinite ? $0 : nil }
        put(known != nil)
        put(known ?? 0)
    }
}

extension WireReader {
    mutating func vector() throws(WireError) -> Vector3 {
        Vector3(x: try finite(), y: try finite(), z: try finite())
    }

    mutating func instant(_ sent: MonotonicTime) throws(WireError) -> MonotonicTime {
        MonotonicTime(nanoseconds: sent.nanoseconds &- Int64(try integer(UInt32.self)) * 1000)
    }

    mutating func optionalNumber() throws(WireError) -> Double? {
        let known = try flag()
        let number = try finite()
        return known ? number : nil
    }

    /// Four flags; the high bits must be 0.
    mutating func mask() throws(WireError) -> UInt8 {
        let mask = try integer(UInt8.self)
        guard mask & 0xF0 == 0 else { throw .invalid }
        return mask
    }
}
