internal import UAVLink

/// Why a vehicle would fall, or may, if it were disarmed.
package struct DisarmingDanger: Hashable, Sendable {
    /// What is the case: `the vehicle is landing`.
    package var words: String
    /// What to do instead.
    package var advice: String

    init(_ words: String, advice: String) { (self.words, self.advice) = (words, advice) }
}

extension FlightInteractor {
    /// Why the vehicle would fall, or may, if it were disarmed; `nil` if telemetry shows it on the ground.
    package func disarmingDanger() async throws(Failure) -> DisarmingDanger? {
        let now = clock.now
        let seen = try await seen(within: limits.stepEffectTimeout) { telemetry in
            telemetry.flight.map { $0.age(now: now) < .seconds(2) } == true ? telemetry : nil
        }
        return Self.disarmingDanger(seen, now: clock.now)
    }

    /// Whether telemetry of now shows the vehicle on the ground.
    func showsGround(_ telemetry: Telemetry) -> Bool {
        let now = clock.now
        guard let flight = telemetry.flight, flight.age(now: now) < .seconds(2) else { return false }
        return Self.disarmingDanger(telemetry, now: now) == nil
    }

    /// Why a vehicle would fall, or may, by telemetry of now.
    static func disarmingDanger(_ telemetry: Telemetry?, now: MonotonicTime) -> DisarmingDanger? {
        let unseen = DisarmingDanger(
            "no telemetry shows the vehicle on the ground",
            advice: "look at it: if it flies, land it, by radio if its flight stack refuses")
        guard let telemetry, let status = telemetry.flight?.value else { return unseen }
        if status.state == .disarmed {
            guard telemetry.showsFlight(now: now) == true else { return nil }
            return DisarmingDanger(
                "its height or speed shows the vehicle in the air, though its autopilot is reported as disarmed",
                advice: unseen.advice)
        }
        switch telemetry.radioFlight(now: now) {
        case .certain where status.isOffboard:
            // A flight stack does not land what it does not fly.
            return DisarmingDanger(
                "the vehicle is in the air, and its flight stack does not fly it", advice: "land it by radio")
        case .certain: return DisarmingDanger("the vehicle is in the air, flown by radio", advice: "land it by radio")
        case .possible where status.state == .armed:
            return DisarmingDanger(
                "no height shows the vehicle on the ground", advice: "look at it: if it flies, land it by radio")
        case .possible, .no: break
        }
        switch status.state {
        case .disarmed: return nil
        case .armed:
            if telemetry.showsFlight(now: now) == false { return nil }
            return DisarmingDanger("no height shows the vehicle on the ground", advice: unseen.advice)
        case .unknown: return unseen
        case .landing:
            return DisarmingDanger("the vehicle is \(status.state.condition)", advice: "wait until it has landed")
        case .takingOff, .flying, .emergency:
            return DisarmingDanger("the vehicle is \(status.state.condition)", advice: "land it")
        }
    }
}
