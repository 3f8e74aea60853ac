internal import UAVLink

/// From the ground into the air: arm, output, offboard, take off.
///
/// The real stack accepts arming and offboard before it knows of them itself: each step is awaited in the telemetry, and what is
/// refused for want of the step before is tried again. Only what has no effect when it is refused is repeated.
struct TakeOffSequence {
    let flight: FlightInteractor
    let progress: FlightInteractor.Progress

    func run() async throws(FlightInteractor.Failure) -> CommandReply {
        let status = flight.link.latestTelemetry?.flight?.value
        var hasArmed = false
        do throws(FlightInteractor.Failure) {
            if status?.isArmed != true {
                progress("arming")
                try await flight.perform(.arm(true))
                // One that nobody has seen disarmed may have been armed by somebody else.
                hasArmed = status?.isArmed == false
                try await show { $0.isArmed }
            }
            if status?.isOutputEnabled != true {
                progress("switching the control output on")
                try await flight.perform(.enableOutput(true))
                try await show { $0.isOutputEnabled }
            }
            if status?.isOffboard != true || status?.isArmed != true {
                progress("handing control to the flight stack")
                try await insist(on: .offboard, whileRefusedWith: ["missing control input"])
                try await show { $0.isOffboard }
            }
            progress("taking off")
            // Offboard mode is not asked for again: what has left it may have been taken out of it by radio.
            return try await insist(
                on: .takeoff, whileRefusedWith: ["not in offboard mode", "not armed", "output is disabled"])
        } catch {
            if hasArmed, case .refused = error { await disarm() }
            throw error
        }
    }

    /// Waits until a step shows. One that does not is no failure: telemetry may be slower than the vehicle, and what the step is
    /// needed for is refused without it.
    private func show(_ isShown: (FlightStatus) -> Bool) async throws(FlightInteractor.Failure) {
        _ = try await flight.seen(within: flight.limits.stepShows) { telemetry in
            telemetry.flight.map { isShown($0.value) } == true ? true : nil
        }
    }

    @discardableResult
    private func insist(
        on command: Command, whileRefusedWith reasons: [String]
    ) async throws(FlightInteractor.Failure) -> CommandReply {
        var tries = max(1, flight.limits.stepTries)
        while true {
            let reply = try await flight.ask(command)
            if reply.accepted { return reply }
            tries -= 1
            guard tries > 0, reasons.contains(where: reply.message.contains) else {
                throw .refused(command: command.name, message: reply.message)
            }
            progress("the vehicle is not ready for \(command.name) yet, trying again")
            try await flight.pause(flight.limits.stepRetryPause)
        }
    }

    /// Switches the motors off again that were armed here, on a vehicle that has told since the refusal that it stands. Others may
    /// have it take off meanwhile (a second ground, the stack's own automatic start), and then the refusal only says so.
    private func disarm() async {
        let refusedAt = flight.clock.now
        let stands = try? await flight.seen(within: flight.limits.stepShows) { telemetry -> Bool? in
            // Arming and tracker come on topics of their own: both must be news.
            guard let status = telemetry.flight, let tracker = telemetry.tracker, status.at > refusedAt,
                tracker.at > refusedAt
            else { return nil }
            return status.value.state == .armed
        }
        guard stands == true else { return progress("the vehicle may be armed: it has not told that it stands") }
        progress("disarming, since the vehicle does not take off")
        _ = try? await flight.ask(.arm(false))
    }
}
