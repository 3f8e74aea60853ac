public import UAVLink

/// Ends a run of steering with the vehicle at rest, and does nothing beyond that.
///
/// Where the vehicle's end decides who flies, steering ends neutral and command is given back: the vehicle is braked, which no landing
/// and nothing newer minds, and from one who is in command no more it means nothing. A `hover` is taken from everybody and breaks off
/// what others fly; one who was stopped for a while would send it without knowing. Elsewhere there is only hover, and it goes to a
/// vehicle that does not land.
public enum SteeringEnd {
    /// One of them arrives: at the most loss that one can steer with, one in ten, that fails once in a thousand times, and then the lease
    /// stops the vehicle.
    private static let neutralSetpoints = 3
    private static let neutralPeriod: Duration = .milliseconds(10)

    /// Stops the vehicle.
    ///
    /// - Returns: the vehicle's answer; not accepted where command was lost before.
    /// - Throws: ``UAVLink/LinkError``; `notInCommand` where the vehicle goes its own way and is left alone.
    public static func stop(
        _ link: any UAVLink, because reason: String, within timeout: Duration, clock: any MonotonicClock
    ) async throws(LinkError) -> CommandReply {
        if CommandOfVehicle.isDecided(over: link), let link = link as? any ControlledLink {
            for _ in 0..<neutralSetpoints {
                // Command is given back all the same.
                try? link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: clock.now))
                try? await clock.sleep(for: neutralPeriod)
            }
            do { return try await link.control(.release(reason: reason), within: timeout) } catch {
                throw LinkError(
                    error.code, "nobody answered that steering has ended (\(error.what))",
                    hint: "without setpoints the vehicle hovers by itself")
            }
        }
        if let loss = leftAlone(link.latestTelemetry) { throw loss }
        return try await link.perform(.hover, within: timeout)
    }

    /// Why a vehicle that somebody else lands is not steered, nor told to hover; `nil` where it is not.
    static func leftAlone(_ telemetry: Telemetry?) -> LinkError? {
        guard let state = telemetry?.flight?.value.state, [.landing, .emergency].contains(state) else { return nil }
        return LinkError(.notInCommand, "the vehicle is not flying (\(state.word))")
    }
}

extension FlightInteractor {
    /// Ends a run of steering, and waits until the vehicle stands.
    ///
    /// - Throws: ``Failure``; ``Failure/link(_:)`` with `notInCommand` where somebody else flies it by now, or it lands;
    ///   ``Failure/refused(command:message:)`` where it stands on the ground, so that nothing was steered.
    public func endSteering(because reason: String) async throws(Failure) -> CommandReply {
        let reply: CommandReply
        do { reply = try await SteeringEnd.stop(link, because: reason, within: limits.answer, clock: clock) } catch {
            throw .link(error)
        }
        guard reply.accepted else {
            guard CommandOfVehicle.isDecided(over: link) else {
                throw .refused(command: Command.hover.name, message: reply.message)
            }
            throw .link(LinkError(.notInCommand, reply.message))
        }
        if let state = link.latestTelemetry?.flight?.value.state, [.disarmed, .armed].contains(state) {
            throw .refused(command: "steering", message: "it does not fly (\(state.word))")
        }
        try await waitForEffect(of: .hover)
        return reply
    }
}
