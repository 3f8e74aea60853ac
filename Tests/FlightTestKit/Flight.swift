package import IntegrationKit
package import UAVLink

/// A flight over a link, with the conditions that tests wait for.
package struct Flight: Sendable {
    /// What it is flown over.
    package let link: any UAVLink

    /// Over a connected link.
    package init(_ link: any UAVLink) { self.link = link }

    /// The vehicle did not do what it said.
    package struct Trouble: Error, CustomStringConvertible {
        /// What it did not do, in one line.
        package var description: String
    }

    /// Has a command executed.
    ///
    /// - Throws: ``Trouble`` when it is refused.
    package func perform(_ command: Command) async throws {
        let reply = try await link.perform(command, within: .patient(seconds: 30))
        guard reply.accepted else { throw Trouble(description: "\(command.name) was refused: \(reply.message)") }
    }

    /// Waits until the telemetry is as wanted.
    package func wait(
        _ what: String, within limit: Duration = .seconds(60), until condition: (Telemetry) -> Bool
    ) async throws {
        let isSo = await eventually(within: limit) { link.latestTelemetry.map(condition) ?? false }
        guard isSo else { throw Trouble(description: "not within \(limit): \(what): \(link.latestTelemetry as Any)") }
    }

    /// The whole sequence, until the vehicle flies; `offboard` needs control output that has flowed for a moment.
    package func takeOff() async throws {
        try await perform(.arm(true))
        try await perform(.enableOutput(true))
        let isOffboard = try await eventually(within: .seconds(30)) {
            try await link.perform(.offboard, within: .patient(seconds: 30)).accepted
        }
        guard isOffboard else { throw Trouble(description: "offboard was refused to the end") }
        // The take-off goes by the autopilot's status, which follows its answers.
        let climbs = try await eventually(within: .seconds(30)) {
            let reply = try await link.perform(.takeoff, within: .patient(seconds: 30))
            if reply.accepted { return true }
            let isEarly = reply.message.contains("not in offboard mode") || reply.message.contains("not armed")
            guard isEarly else { throw Trouble(description: "takeoff was refused: \(reply.message)") }
            return false
        }
        guard climbs else { throw Trouble(description: "takeoff was refused to the end") }
        try await wait("flying") { $0.flight?.value.state == .flying }
    }

    /// Lands, and waits until the motors are off.
    package func land() async throws {
        try await perform(.land)
        try await wait("disarmed") { $0.flight?.value.state == .disarmed }
    }

    /// Pushes the stick, 50 setpoints a second, the first five neutral, until the task is cancelled; never throws.
    package func steerOn(_ velocity: Vector3) async {
        let clock = SystemMonotonicClock()
        await takeCommand(of: link)
        var sent = 0
        while !Task.isCancelled {
            let now = sent < 5 ? Vector3.zero : velocity
            _ = try? link.steer(
                VelocitySetpoint(velocityMetresPerSecond: now, intendedAt: clock.now, validFor: .milliseconds(400)))
            sent += 1
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Steers until the vehicle is under way. On a busy machine a pause can outlast the lease, and a new companion may not have
    /// joined the vehicle when control is taken first: then the stick is let go and pushed again.
    package func steerUntilUnderWay(
        _ velocity: Vector3, _ witness: FlightWitness
    ) async throws -> Task<Void, Never> {
        for _ in 0..<10 {
            let stick = Task { await steerOn(velocity) }
            let isUnderWay = try await eventually(within: .seconds(6)) {
                let account = try await witness.account()
                return account.speed > 0.7 && account.isSteeredNow
            }
            if isUnderWay { return stick }
            stick.cancel()
            await stick.value
        }
        throw Trouble(description: "the vehicle is not under way: \(try await witness.account())")
    }

    /// Pushes the stick to and fro, 50 setpoints a second and a second and a half each way, until the task is cancelled. He takes
    /// command whenever he does not have it, and holds the stick neutral until he is notified that he steers, as a user would who
    /// sees the screen.
    ///
    /// - Parameter taken: called each time that he has asked for command.
    package func steerToAndFro(taken: () -> Void = {}) async {
        let clock = SystemMonotonicClock()
        var sent = 0
        while !Task.isCancelled {
            let control = link.latestTelemetry?.control?.value
            let isPilot = control?.isYours == true
            if !isPilot {
                await takeCommand(of: link)
                taken()
            }
            sent += 1
            let speed = isPilot && control?.isSteering == true ? ((sent / 75).isMultiple(of: 2) ? 0.5 : -0.5) : 0
            _ = try? link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), intendedAt: clock.now,
                    validFor: .milliseconds(400)))
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Steers until the vehicle's position, beside where it was, is as wanted; then hovers.
    package func steer(_ velocity: Vector3, until isThere: (Vector3, Vector3) -> Bool) async throws {
        let start = link.latestTelemetry?.pose?.value.positionMetres ?? .zero
        // On a busy machine a pause can outlast the lease: then the stick is let go and pushed again.
        for _ in 0..<10 {
            let stick = Task { await steerOn(velocity) }
            let isDone = await eventually(within: .seconds(6)) {
                isThere(link.latestTelemetry?.pose?.value.positionMetres ?? start, start)
            }
            stick.cancel()
            await stick.value
            if isDone { return try await perform(.hover) }
        }
        throw Trouble(description: "steering had no effect: \(link.latestTelemetry as Any)")
    }
}
