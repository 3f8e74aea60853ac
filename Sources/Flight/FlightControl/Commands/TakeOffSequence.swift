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
        var hasArmed = false
        do throws(FlightInteractor.Failure) {
            // A stop of another ground ends it, whatever step is next.
            return try await CommandSequence.run(over: flight.link) { () async throws(FlightInteractor.Failure) in
                try await takeOff(&hasArmed)
            }
        } catch {
            if hasArmed {
                if case .refused = error {
                    await CommandSequence.outside { await disarm() }
                } else {
                    progress("the vehicle may be armed: while it stands on the ground, 'disarm' stops its motors")
                }
            }
            throw error
        }
    }

    private func takeOff(_ hasArmed: inout Bool) async throws(FlightInteractor.Failure) -> CommandReply {
        let steps = flight.link.vehicleCapabilities.commands
        if steps.contains(.offboard) { try await awaitState() }
        try await requireOnGround()
        let telemetry = flight.link.latestTelemetry
        let status = telemetry?.flight?.value
        if steps.contains(.offboard), telemetry?.mayBeFlownByRadio(now: flight.clock.now) == true {
            throw .refused(
                command: Command.takeoff.name,
                message: "the vehicle is armed, is not in offboard mode, and no height shows it on the ground:"
                    + " it may be flown by radio; look at it: if it flies, land it by radio;"
                    + " if it stands, disarm it by radio")
        }
        let wasDisarmed = telemetry?.flight.map { isRecent($0) && !$0.value.isArmed } == true
        if status?.isArmed != true, steps.contains(.arm) {
            progress("arming")
            try await flight.perform(.arm(true))
            // A vehicle not seen disarmed just before may have been armed by another pilot.
            hasArmed = wasDisarmed
            try await show { $0.isArmed }
        }
        if status?.isOutputEnabled != true, steps.contains(.enableOutput) {
            try await requireOnGround()
            progress("switching the control output on")
            try await flight.perform(.enableOutput(true))
            try await show { $0.isOutputEnabled }
        }
        if steps.contains(.offboard), status?.isOffboard != true || status?.isArmed != true {
            progress("switching to offboard mode")
            // It may have been taken off by radio meanwhile, also between two attempts.
            try await performWithRetry(on: .offboard)
            try await show { $0.isOffboard }
        }
        // One in the air refuses: nothing must be said of a take-off before.
        if flight.link.latestTelemetry?.flight?.value.state.isAirborne != true { progress("taking off") }
        // Offboard is not requested again: the vehicle may have been taken out of it by radio control.
        return try await performWithRetry(on: .takeoff)
    }

    /// Waits until it is known what the vehicle does, which it is not right after a link was connected. For a vehicle that is flown by
    /// radio not even the output may be switched on: MRS's stack then commands an idling thrust, which the autopilot obeys as soon as
    /// the pilot sets offboard mode again.
    private func awaitState() async throws(FlightInteractor.Failure) {
        let limit = max(flight.limits.firstTelemetry, flight.limits.answer)
        let isKnown = try await flight.seen(within: limit) { telemetry -> Bool? in
            guard let status = telemetry.flight, isRecent(status) else { return nil }
            return status.value.state == .unknown ? nil : true
        }
        guard isKnown == true else { throw try await unseen(within: limit, "nothing was sent to it") }
        // Height and speed come on topics of their own.
        _ = try await flight.seen(within: flight.limits.stepEffectTimeout) { telemetry -> Bool? in
            let now = flight.clock.now
            return telemetry.mayBeFlownByRadio(now: now) && !telemetry.isFlownByRadio(now: now) ? nil : true
        }
    }

    /// The sequence switches to offboard mode, which would take a vehicle from whoever flies it by radio, or let it fall: until the
    /// take-off its flight stack commands an idling thrust. What was received longer ago does not show where it is now: newer telemetry is
    /// waited for.
    private func requireOnGround() async throws(FlightInteractor.Failure) {
        if flight.link.vehicleCapabilities.commands.contains(.offboard) {
            let limit = flight.limits.stepEffectTimeout
            let isKnown = try await flight.seen(within: limit) { telemetry -> Bool? in
                telemetry.flight.map(isRecent) == true ? true : nil
            }
            guard isKnown == true else { throw try await unseen(within: limit, "no further step is sent to it") }
        }
        guard let telemetry = flight.link.latestTelemetry, let status = telemetry.flight?.value else { return }
        let now = flight.clock.now
        let isByRadio = telemetry.isFlownByRadio(now: now) && !status.isOffboard
        let isInTheAir = [.disarmed, .armed].contains(status.state) && telemetry.showsFlight(now: now) == true
        guard isByRadio || isInTheAir else { return }
        let what =
            if status.state == .disarmed {
                // As a vehicle on a stand, or one whose arming is not reported.
                "\(Self.shown(telemetry)) shows it in the air, though it is reported as disarmed: look at it; if it flies, land it by"
                    + " radio; if it stands, put it where its height is below 1 m"
            } else if isByRadio {
                "the vehicle is in the air and not in offboard mode: it is flown by radio; land it by radio first"
            } else {
                "the vehicle is in the air, and its flight stack does not fly it; land it by radio first"
            }
        throw .refused(command: Command.takeoff.name, message: what)
    }

    /// What shows the vehicle in the air.
    private static func shown(_ telemetry: Telemetry) -> String {
        telemetry.heightAboveGroundMetres.map { "a height of \($0.value.formatted(decimals: 1)) m above ground" }
            ?? "its speed"
    }

    /// Older telemetry may be from before a pilot took the vehicle.
    private func isRecent(_ status: Sample<FlightStatus>) -> Bool { status.age(now: flight.clock.now) < .seconds(2) }

    /// With the reason that is known, as `uavlink status` gives it.
    private func unseen(
        within limit: Duration, _ consequence: String
    ) async throws(FlightInteractor.Failure) -> FlightInteractor.Failure {
        let seconds = Int(saturating: limit.inSeconds)
        let what = "no telemetry shows within \(seconds) s what the vehicle does: \(consequence)"
        guard let reason = try await flight.reasonOfSilence() else {
            return .link(LinkError(.timedOut, what, hint: "'uavlink doctor' finds out why"))
        }
        return .link(LinkError(reason.code, "\(what): \(reason.what)", hint: reason.hint))
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
            try await requireOnGround()
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

    /// Disarms a vehicle armed by this sequence, if telemetry since the refusal shows it on the ground, by its height too. It may have
    /// taken off meanwhile (another ground, a pilot by radio, the flight stack's automatic start), which may be the reason of the refusal.
    private func disarm() async {
        let refusedAt = flight.clock.now
        let stands = try? await flight.seen(within: flight.limits.stepEffectTimeout) { telemetry -> Bool? in
            // Arming, tracker state and height come on separate topics: all must be newer.
            guard let status = telemetry.flight, let tracker = telemetry.tracker, status.at > refusedAt,
                tracker.at > refusedAt
            else { return nil }
            let flies = telemetry.showsFlight(now: flight.clock.now)
            guard status.value.state == .armed, flies != true else { return false }
            // Without a height it may hover.
            guard let height = telemetry.heightAboveGroundMetres, height.at > refusedAt else { return nil }
            return flies == false
        }
        guard stands == true else {
            return progress(
                "not disarmed, since telemetry does not confirm that the vehicle is on the ground; it may be armed")
        }
        progress("disarming, since the take-off was refused")
        do throws(FlightInteractor.Failure) {
            try await flight.perform(.arm(false))
        } catch {
            progress("not disarmed: \(error.description); it may be armed")
        }
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
