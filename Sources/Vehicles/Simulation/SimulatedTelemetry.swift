public import UAVLink

extension HexacopterSimulator {
    /// The vehicle's state as telemetry of a link; all values are measured at `now`.
    public func telemetry(at now: MonotonicTime) -> Telemetry {
        let seen = snapshot
        var telemetry = Telemetry(vehicle: configuration.vehicle)
        telemetry.pose = Sample(
            Pose(frame: controlFrame, positionMetres: seen.position, headingRadians: seen.heading), at: now)
        telemetry.velocityMetresPerSecond = Sample(seen.velocity, at: now)
        telemetry.heightAboveGroundMetres = Sample(seen.heightAboveGround, at: now)
        telemetry.rangeFinderMetres = Sample(seen.range, at: now)
        telemetry.battery = Sample(seen.battery, at: now)
        if let fix = try? gnss(seen) { telemetry.gnss = Sample(fix, at: now) }
        telemetry.flight = Sample(seen.flight, at: now)
        // The control manager passes no reference on while it does not fly normally, whatever its tracker says.
        var tracker = seen.tracker
        tracker.takesReferences = tracker.takesReferences && seen.flight.isFlyingNormally
        telemetry.tracker = Sample(tracker, at: now)
        telemetry.estimator = Sample(
            EstimatorStatus(name: seen.estimator, ceilingMetres: seen.ceiling.isFinite ? seen.ceiling : nil), at: now)
        return telemetry
    }
}
