package import UAVLink

extension Telemetry {
    /// Whether height or speed show that the vehicle is in the air; `nil` if both are old or not known.
    func showsFlight(now: MonotonicTime) -> Bool? {
        func fresh<Value>(_ sample: Sample<Value>?) -> Value? {
            sample.flatMap { $0.age(now: now) < .seconds(2) ? $0.value : nil }
        }
        let (height, speed) = (fresh(heightAboveGroundMetres), fresh(velocityMetresPerSecond)?.length)
        guard height != nil || speed != nil else { return nil }
        // A sensor on a landed vehicle measures up to half a metre; an estimate on the ground drifts less than half a metre per second.
        return (height ?? 0) > 1 || (speed ?? 0) > 1
    }

    /// Whether the vehicle is in the air and not in offboard mode: a pilot flies it by radio.
    package func isFlownByRadio(now: MonotonicTime) -> Bool {
        guard let status = flight?.value, status.isArmed, !status.isOffboard else { return false }
        return showsFlight(now: now) == true
    }
}

extension FlightInteractor {
    /// Why the vehicle would fall, or may, if it were disarmed; `nil` if telemetry shows it on the ground.
    package func disarmingDanger() async throws(Failure) -> String? {
        let now = clock.now
        let seen = try await seen(within: limits.stepEffectTimeout) { telemetry in
            telemetry.flight.map { $0.age(now: now) < .seconds(2) } == true ? telemetry : nil
        }
        guard let telemetry = seen, let state = telemetry.flight?.value.state else {
            return "no telemetry shows the vehicle on the ground"
        }
        switch state {
        case .disarmed: return nil
        case .armed:
            guard let flies = telemetry.showsFlight(now: clock.now) else {
                return "neither height nor speed show the vehicle on the ground"
            }
            return flies ? "the vehicle is in the air, flown by radio" : nil
        case .unknown: return "no telemetry shows the vehicle on the ground"
        case .takingOff, .flying, .landing, .emergency: return "the vehicle is \(state.word)"
        }
    }
}
