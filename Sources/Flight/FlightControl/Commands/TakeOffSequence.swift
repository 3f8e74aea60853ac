internal import ReportKit
package import UAVLink

/// The take-off sequence: arm, output, offboard, take off.
///
/// The real flight stack accepts arming and offboard before its own state shows them: each step is awaited in the
/// telemetry, and a step refused because the previous one is not effective yet is retried. Only steps that have no effect
/// when refused are retried. Steps that the vehicle does not have are left out: another machine may only take off.
struct TakeOffSequence {
    let flight: FlightInteractor
    let progress: FlightInteractor.Progress

    func run() async throws(FlightInteractor.Failure) -> CommandReply {
        let steps = flight.link.vehicleCapabilities.commands
        if steps.contains(.offboard) { try await awaitState() }
        let status = flight.link.latestTelemetry?.flight?.value
        var hasArmed = false
        try requireOnGround()
        if steps.contains(.offboard), flight.link.latestTelemetry?.mayBeFlownByRadio(now: flight.clock.now) == true {
            throw .refused(
                command: Command.takeoff.name,
                message: "the vehicle is armed, is not in offboard mode, and no height shows it on the ground:"
                    + " it may be flown by radio; disarm it first")
        }
        do throws(FlightInteractor.Failure) {
            if status?.isArmed != true, steps.contains(.arm) {
                progress("arming")
                try await flight.perform(.arm(true))
                // A vehicle not seen disarmed before may have been armed by another pilot.
                hasArmed = status?.isArmed == false
                try await show { $0.isArmed }
            }
            if status?.isOutputEnabled != true, steps.contains(.enableOutput) {
                try requireOnGround()
                progress("switching the control output on")
                try await flight.perform(.enableOutput(true))
                try await show { $0.isOutputEnabled }
            }
            if steps.contains(.offboard), status?.isOffboard != true || status?.isArmed != true {
                // It may have been taken off by radio meanwhile.
                try requireOnGround()
                progress("switching to offboard mode")
                try await performWithRetry(on: .offboard)
                try await show { $0.isOffboard }
            }
            progress("taking off")
            // Offboard is not requested again: the vehicle may have been taken out of it by radio control.
            return try await performWithRetry(on: .takeoff)
        } catch {
            if hasArmed {
                if case .refused = error { await disarm() } else { progress("the vehicle may be armed") }
            }
            throw error
        }
    }

    /// Waits until it is known what the vehicle does, which it is not right after a link was connected. For a vehicle that is flown by
    /// radio not even the output may be switched on: MRS's stack then commands an idling thrust, which the autopilot obeys as soon as
    /// the pilot sets offboard mode again.
    private func awaitState() async throws(FlightInteractor.Failure) {
        let limit = max(flight.limits.firstTelemetry, flight.limits.answer)
        let isKnown = try await flight.seen(within: limit) { telemetry -> Bool? in
            guard let status = telemetry.flight, status.age(now: flight.clock.now) < .seconds(2) else { return nil }
            return status.value.state == .unknown ? nil : true
        }
        guard isKnown == true else {
            throw .link(
                LinkError(
                    .timedOut,
                    "no telemetry shows within \(Int(saturating: limit.inSeconds)) s what the vehicle does: nothing was sent to it",
                    hint: "'uavlink doctor' finds out why"))
        }
        // Height and speed come on topics of their own.
        _ = try await flight.seen(within: flight.limits.stepEffectTimeout) { telemetry -> Bool? in
            let now = flight.clock.now
            return telemetry.mayBeFlownByRadio(now: now) && !telemetry.isFlownByRadio(now: now) ? nil : true
        }
    }

    /// The sequence switches to offboard mode, which would take a vehicle from whoever flies it by radio, or let it fall: until the
    /// take-off its flight stack commands an idling thrust.
    private func requireOnGround() throws(FlightInteractor.Failure) {
        guard let telemetry = flight.link.latestTelemetry, let status = telemetry.flight?.value else { return }
        let now = flight.clock.now
        let isByRadio = telemetry.isFlownByRadio(now: now)
        guard isByRadio || status.state == .armed && telemetry.showsFlight(now: now) == true else { return }
        throw .refused(
            command: Command.takeoff.name,
            message: isByRadio
                ? "the vehicle is in the air and not in offboard mode: it is flown by radio; land it first"
                : "the vehicle is in the air, and its flight stack does not fly it; land it first")
    }

    /// Waits until a step shows in the telemetry. A timeout is no failure: telemetry may be slower than the vehicle, and the
    /// next step is refused if this one had no effect.
    private func show(_ isShown: (FlightStatus) -> Bool) async throws(FlightInteractor.Failure) {
        _ = try await flight.seen(within: flight.limits.stepEffectTimeout) { telemetry in
            telemetry.flight.map { isShown($0.value) } == true ? true : nil
        }
    }

    @discardableResult
    private func performWithRetry(on command: Command) async throws(FlightInteractor.Failure) -> CommandReply {
        var tries = max(1, flight.limits.stepAttempts)
        while true {
            let reply = try await flight.ask(command)
            if reply.accepted { return reply }
            tries -= 1
            guard tries > 0, command.isRefusedForNow(reply) else {
                throw .refused(command: command.name, message: reply.message)
            }
            progress("the vehicle is not ready for \(command.name) yet, retrying")
            try await flight.pause(flight.limits.stepRetryDelay)
        }
    }

    /// Disarms a vehicle armed by this sequence, if telemetry since the refusal shows it on the ground. It may have taken off
    /// meanwhile (another ground, the flight stack's automatic start), which may be the reason of the refusal.
    private func disarm() async {
        let refusedAt = flight.clock.now
        let stands = try? await flight.seen(within: flight.limits.stepEffectTimeout) { telemetry -> Bool? in
            // Arming and tracker state come on separate topics: both must be newer.
            guard let status = telemetry.flight, let tracker = telemetry.tracker, status.at > refusedAt,
                tracker.at > refusedAt
            else { return nil }
            return status.value.state == .armed && telemetry.showsFlight(now: flight.clock.now) != true
        }
        guard stands == true else {
            return progress(
                "not disarmed, since telemetry does not confirm that the vehicle is on the ground; it may be armed")
        }
        progress("disarming, since the take-off was refused")
        _ = try? await flight.ask(.arm(false))
    }
}

extension Command {
    /// Whether a refusal of this step of a take-off passes by itself, once the step before has had its effect.
    package func isRefusedForNow(_ reply: CommandReply) -> Bool {
        guard !reply.accepted else { return false }
        let passing: [String] =
            switch self {
            case .offboard: ["missing control input"]
            case .takeoff: ["not in offboard mode", "not armed", "output is disabled"]
            default: []
            }
        return passing.contains { reply.message.contains($0) }
    }
}
