import IntegrationKit
import Testing
import UAVLink

/// A link under test with the conditions that tests wait for.
struct Flying: Sendable {
    let link: any UAVLink
    let limits: LinkFactory.Limits
    let vehicle: VehicleCapabilities

    /// The vehicle refused what it should not have, or did not do what it said.
    struct Trouble: Error, CustomStringConvertible {
        var description: String
    }

    /// Sends a command that the vehicle must accept.
    func perform(_ command: Command) async throws {
        let reply = try await link.perform(command, within: limits.command)
        guard reply.accepted else { throw Trouble(description: "\(command.name) was refused: \(reply.message)") }
    }

    /// Waits until telemetry says so.
    func wait(
        _ what: String, within limit: Duration, until condition: (Telemetry) -> Bool
    ) async throws {
        var patience = Patience(limit)
        while true {
            if let telemetry = link.latestTelemetry, condition(telemetry) { return }
            guard !patience.isOver() else {
                let last = link.latestTelemetry.map { "\($0)" } ?? "no telemetry at all"
                throw Trouble(description: "not within \(limit): \(what); last heard: \(last)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The whole take-off sequence, as far as the vehicle has its steps, until the vehicle flies.
    ///
    /// From the second flight on `offboard` is refused until control output has flowed for a moment; and the real flight stack
    /// refuses the take-off until its own state shows the steps that it has accepted.
    func takeOff() async throws {
        if vehicle.commands.contains(.arm) { try await perform(.arm(true)) }
        if vehicle.commands.contains(.enableOutput) { try await perform(.enableOutput(true)) }
        if vehicle.commands.contains(.offboard) { try await perform(.offboard, whileRefusedWith: [""]) }
        try await perform(
            .takeoff, whileRefusedWith: ["not in offboard mode", "not armed", "output is disabled"])
        try await wait("flying", within: limits.takeoff) { $0.flight?.value.state == .flying }
        // The real stack's tracker first brings the vehicle to rest where it took over; a goto that comes meanwhile was once
        // accepted and then not flown.
        if vehicle.telemetry.contains(.velocity) { try await rest() }
    }

    /// Sends a command that the vehicle must accept in the end; a refusal with one of these texts is no reason to give up.
    private func perform(_ command: Command, whileRefusedWith reasons: [String]) async throws {
        var patience = Patience(limits.command)
        while true {
            let reply = try await link.perform(command, within: limits.command)
            if reply.accepted { return }
            guard reasons.contains(where: { $0.isEmpty || reply.message.contains($0) }), !patience.isOver() else {
                throw Trouble(description: "\(command.name) was refused to the end: \(reply.message)")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Lands and waits until the motors are off.
    func land() async throws {
        try await perform(.land)
        try await wait("disarmed", within: limits.landing) { $0.flight?.value.state == .disarmed }
    }

    /// Waits until the vehicle rests (slower than 0.15 m/s) in telemetry that is newer than this call.
    func rest() async throws {
        let asked = SystemMonotonicClock().now
        try await wait("at rest", within: limits.goal) { telemetry in
            guard let velocity = telemetry.velocityMetresPerSecond, velocity.at > asked else { return false }
            return velocity.value.length < 0.15
        }
    }

    /// Steers along `velocity`, a fresh setpoint each interval, until `condition` holds.
    ///
    /// A run begins with neutral setpoints. On a busy machine a pause can outlast the lease; then the vehicle was stopped,
    /// and a new run begins, as a user lets go of the stick and takes it again.
    func steer(_ velocity: Vector3, within limit: Duration, until condition: (Telemetry) -> Bool) async throws {
        var patience = Patience(limit)
        let clock = SystemMonotonicClock()
        await takeCommand(of: link)
        var neutral = 3
        var applied = link.quality.setpointsApplied
        var lastApplied = ContinuousClock.now
        while true {
            if let telemetry = link.latestTelemetry, condition(telemetry) { return }
            guard !patience.isOver() else {
                throw Trouble(description: "steering had no effect within \(limit): \(link.latestTelemetry as Any)")
            }
            if link.quality.setpointsApplied != applied {
                applied = link.quality.setpointsApplied
                lastApplied = .now
            } else if applied != nil, ContinuousClock.now - lastApplied > limits.steeringRestart {
                await takeCommand(of: link)
                neutral = 3
                lastApplied = .now
            }
            try link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: neutral > 0 ? .zero : velocity,
                    frame: vehicle.steering?.frames.contains(.world) == true ? .world : .body, intendedAt: clock.now,
                    validFor: VelocitySetpoint.longestValidity))
            neutral = max(0, neutral - 1)
            try await Task.sleep(for: limits.steeringInterval)
        }
    }

    /// Where the vehicle is.
    func position() throws -> Vector3 {
        guard let pose = link.latestTelemetry?.pose else { throw Trouble(description: "no position is known") }
        return pose.value.positionMetres
    }
}

/// How long something took, and for how long of that a thread of the test was kept off the processor at a stretch.
struct Taken: CustomStringConvertible {
    let whole: Duration
    let waited: Duration
    /// What it took by itself.
    var own: Duration { whole - waited }
    var description: String { "\(whole), a thread waited \(waited) of it for a processor" }

    /// Measures a call.
    static func by(_ body: () async throws -> Void) async rethrows -> Taken {
        let watch = SchedulingWatch()
        let begin = SchedulingWatch.now
        try await body()
        let end = SchedulingWatch.now
        watch.settle()
        return Taken(whole: .nanoseconds(end - begin), waited: .nanoseconds(watch.longestWait(from: begin, to: end)))
    }
}

/// Sets a link up, hands it to `body` (connected, unless asked otherwise), and ends everything whatever happens.
///
/// - Parameter need: what the test needs; where a link or its vehicle lacks it, the case is skipped with the reason.
func withLink(
    _ factory: LinkFactory, connected: Bool = true, needs need: Need = .nothing,
    _ body: (Flying, LinkRig) async throws -> Void
) async throws {
    if let missing = factory.missing { try skip(factory, because: missing) }
    if let lack = factory.vehicle.lack(of: need.vehicle) { try skip(factory, because: lack) }
    let rig = try await factory.open()
    let flying = Flying(link: rig.link, limits: factory.limits, vehicle: factory.vehicle)
    let result: Result<Void, any Error>
    do {
        if let lack = need.lack(of: rig.link) { try skip(factory, because: lack) }
        if connected { try await rig.link.connect(within: factory.limits.connect) }
        result = .success(try await body(flying, rig))
    } catch {
        if !(error is CancellationError), let logs = rig.logs { print("\(factory.name): \(error)\n\(await logs())") }
        result = .failure(error)
    }
    await rig.link.close()
    await rig.tearDown()
    try result.get()
}

/// Ends this case of a test without a verdict. The runner does not tell of cases, so this does: `scripts/test` lists it.
func skip(_ factory: LinkFactory, because reason: String) throws -> Never {
    print("➜ Test \(Test.current?.name ?? "") skipped for \(factory.name): \"\(reason)\"")
    try Test.cancel("\(factory.name): \(reason)")
}
