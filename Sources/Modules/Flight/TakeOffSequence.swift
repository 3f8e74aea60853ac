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
                try await show(.arm(true)) { $0.isArmed }
            }
            if status?.isOutputEnabled != true {
                progress("switching the control output on")
                try await flight.perform(.enableOutput(true))
                try await show(.enableOutput(true)) { $0.isOutputEnabled }
            }
            if status?.isOffboard != true || status?.isArmed != true {
                progress("handing control to the flight stack")
                try await insist(on: .offboard, whileRefusedWith: ["missing control input"])
                try await show(.offboard) { $0.isOffboard }
            }
            progress("taking off")
            return try await insist(
                on: .takeoff, whileRefusedWith: ["not in offboard mode", "not armed", "output is disabled"]
            ) { message async throws(FlightInteractor.Failure) in
                // It leaves that mode again when control output pauses before it flies.
                if message.contains("not in offboard mode") { _ = try await flight.ask(.offboard) }
            }
        } catch {
            if hasArmed, case .refused = error { await disarm() }
            throw error
        }
    }

    /// Waits until a step shows. One that does not is no failure: telemetry may be slower than the vehicle, and what the step is
    /// needed for is refused without it.
    private func show(
        _ command: Command, _ isShown: (FlightStatus) -> Bool
    ) async throws(FlightInteractor.Failure) {
        do {
            try await flight.wait(command, "so far", flight.limits.stepShows) {
                $0.flight.map { isShown($0.value) } ?? false
            }
        } catch {
            guard case .noEffect = error else { throw error }
        }
    }

    @discardableResult
    private func insist(
        on command: Command, whileRefusedWith reasons: [String],
        meanwhile: (String) async throws(FlightInteractor.Failure) -> Void = { _ in }
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
            try await meanwhile(reply.message)
        }
    }

    /// Switches the motors off again that were armed here; never in the air, nor where it is not known that it stands.
    private func disarm() async {
        guard let state = flight.link.latestTelemetry?.flight?.value.state, [.armed, .disarmed].contains(state) else {
            return
        }
        progress("disarming, since the vehicle does not take off")
        _ = try? await flight.ask(.arm(false))
    }
}
