package import UAVLink

/// Ends steering and brakes the vehicle, without an effect on other pilots' commands.
///
/// Over a link with arbitration, neutral setpoints are sent and control authority is released: the vehicle is braked, unless
/// it lands or has a newer command, and without control authority both are ignored. A `hover` would be accepted from every
/// pilot and interrupt what another pilot flies, for example when sent late by a program that was suspended. Over other
/// links only hover is available; it is not sent to a vehicle that lands, or flies what its flight stack commanded.
package enum SteeringEnd {
    /// One of them must arrive: at 10 % loss, the most that steering tolerates, all are lost once in a thousand times; then
    /// the lease stops the vehicle.
    private static let neutralSetpoints = 3
    private static let neutralPeriod: Duration = .milliseconds(10)

    /// Stops the vehicle.
    ///
    /// - Returns: the answer; not accepted if control authority was lost before.
    /// - Throws: ``UAVLink/LinkError``; `notInCommand` if the vehicle lands, is in an emergency, flown by radio or
    ///   takes no references, and nothing was sent.
    package static func stop(
        _ link: any UAVLink, because reason: String, within timeout: Duration, clock: any MonotonicClock
    ) async throws(LinkError) -> CommandReply {
        if let link = link.capabilities.control {
            for _ in 0..<neutralSetpoints {
                // Control authority is released even if this fails.
                _ = try? link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: clock.now))
                try? await clock.sleep(for: neutralPeriod)
            }
            do { return try await link.control(.release(reason: reason), within: timeout) } catch {
                throw LinkError(
                    error.code, "the release of control authority was not confirmed (\(error.what))",
                    hint: "without setpoints the vehicle stops by itself")
            }
        }
        let telemetry = link.latestTelemetry
        if let loss = notSteerableError(telemetry) ?? fliesItselfError(telemetry, now: clock.now) { throw loss }
        return try await link.perform(.hover, within: timeout)
    }

    /// Of older telemetry nothing follows for a vehicle that flies.
    private static let freshness: Duration = .seconds(2)

    /// Why a vehicle that flies what its flight stack commanded must not be sent a hover; `nil` otherwise.
    ///
    /// A landing of MRS's stack from 3 m or more begins as a flight in which it takes no references, and a hover would end it.
    /// What takes no references is not moved by setpoints.
    private static func fliesItselfError(_ telemetry: Telemetry?, now: MonotonicTime) -> LinkError? {
        guard let tracker = telemetry?.tracker, tracker.age(now: now) <= freshness, !tracker.value.takesReferences,
            telemetry?.flight?.value.state == .flying
        else { return nil }
        return LinkError(.notInCommand, "the vehicle accepts no references")
    }

    /// Why a vehicle that lands, is in an emergency or flown by radio must be neither steered nor sent a hover; `nil` otherwise.
    static func notSteerableError(_ telemetry: Telemetry?) -> LinkError? {
        if telemetry?.wasFlownByRadio == true { return LinkError(.notInCommand, "the vehicle is flown by radio") }
        guard let state = telemetry?.flight?.value.state, [.landing, .emergency].contains(state) else { return nil }
        return LinkError(.notInCommand, "the vehicle is not flying (\(state.word))")
    }
}

extension FlightInteractor {
    /// Ends steering and waits until the vehicle has stopped.
    ///
    /// - Throws: ``Failure``; ``Failure/link(_:)`` with `notInCommand` if another pilot has control authority, or the vehicle
    ///   lands; ``Failure/refused(command:message:)`` if it is on the ground, so that nothing was steered.
    package func endSteering(because reason: String) async throws(Failure) -> CommandReply {
        let reply: CommandReply
        do { reply = try await SteeringEnd.stop(link, because: reason, within: limits.answer, clock: clock) } catch {
            throw .link(error)
        }
        guard reply.accepted else {
            guard ControlAuthorityClient.isArbitrated(over: link) else {
                throw .refused(command: Command.hover.name, message: reply.message)
            }
            throw .link(LinkError(.notInCommand, reply.message))
        }
        let telemetry = link.latestTelemetry
        if telemetry?.wasFlownByRadio == true {
            throw .refused(command: "steering", message: "the vehicle is flown by radio")
        }
        if let state = telemetry?.flight?.value.state, [.disarmed, .armed].contains(state) {
            throw .refused(command: "steering", message: "the vehicle is not flying (\(state.word))")
        }
        try await waitUntilStationary()
        return reply
    }
}
