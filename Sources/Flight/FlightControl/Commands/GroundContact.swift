internal import UAVLink

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
                return "no height shows the vehicle on the ground"
            }
            return flies ? "the vehicle is in the air, flown by radio" : nil
        case .unknown: return "no telemetry shows the vehicle on the ground"
        case .takingOff, .flying, .landing, .emergency: return "the vehicle is \(state.word)"
        }
    }
}
