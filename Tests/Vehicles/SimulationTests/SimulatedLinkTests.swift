import Simulation
import Testing
import UAVLink
import UAVTestKit

/// The link under a clock that only the tests move, so nothing here depends on how busy the machine is.
@Suite struct SimulatedLinkTests {
    let clock = FakeClock()

    /// A link to a vehicle that flies already.
    func flying() async throws -> SimulatedLink {
        let flight = try Flight()
        #expect(flight.takeOff())
        flight.pause(3)
        let link = made(flight.simulator)
        try await link.connect(within: .seconds(60))
        return link
    }

    func made(_ simulator: HexacopterSimulator) -> SimulatedLink {
        var settings = SimulatedLink.Settings()
        settings.clock = clock
        return SimulatedLink(simulator, settings: settings)
    }

    /// Moves the clock, ten milliseconds at a time, until the condition holds.
    func pass(_ link: SimulatedLink, atMost seconds: Double, until condition: (VehicleSnapshot) -> Bool) -> Bool {
        for _ in 0..<Int(seconds * 100) {
            clock.advance(by: .milliseconds(10))
            if condition(link.snapshot) { return true }
        }
        return false
    }

    func setpoint(
        _ velocity: Vector3, _ frame: VelocitySetpoint.Frame = .world, age: Duration = .zero,
        validFor: Duration = .milliseconds(200)
    ) -> VelocitySetpoint {
        VelocitySetpoint(
            velocityMetresPerSecond: velocity, frame: frame, intendedAt: clock.now - age, validFor: validFor)
    }

    @Test func `a setpoint older than it is good for is refused and counted`() async throws {
        let link = try await flying()
        try link.steer(setpoint(Vector3(x: 1, y: 0, z: 0), age: .milliseconds(200)))
        #expect(link.quality.setpointsExpired == 1)
        #expect(link.quality.setpointsApplied == nil)
        #expect(!pass(link, atMost: 0.5) { $0.referenceVelocity.x > 0.05 })
        try link.steer(setpoint(Vector3(x: 1, y: 0, z: 0), age: .milliseconds(199)))
        #expect(link.quality.setpointsApplied == 1)
        #expect(link.quality.setpointsSent == 2)
        await link.close()
    }

    @Test func `the time that the vehicle takes to answer is not the link's round trip`() async throws {
        let link = try await flying()
        let reply = try await clock.run(through: { try await link.perform(.land, within: .seconds(60)) })
        #expect(reply.accepted && link.quality.roundTripP99 == .nanoseconds(1))
        await link.close()
    }

    @Test func `a setpoint that was meant before the newest one does not count`() async throws {
        let link = try await flying()
        try link.steer(setpoint(Vector3(x: 1, y: 0, z: 0), validFor: .milliseconds(500)))
        try link.steer(
            setpoint(Vector3(x: -1, y: 0, z: 0), age: .milliseconds(1), validFor: .milliseconds(500)))
        #expect(link.quality.setpointsExpired == 1)
        #expect(pass(link, atMost: 0.5) { $0.referenceVelocity.x > 0.5 })
        await link.close()
    }

    @Test func `when setpoints stop, motion stops after the last one's validity`() async throws {
        let link = try await flying()
        for _ in 0..<20 {
            try link.steer(setpoint(Vector3(x: 3, y: 0, z: 0)))
            #expect(!pass(link, atMost: 0.05) { _ in false })
        }
        let fastest = link.snapshot.referenceVelocity.x
        #expect(fastest > 1.5)
        // 150 ms of the last setpoint are left; the vehicle still speeds up, then brakes.
        #expect(!pass(link, atMost: 0.14) { $0.referenceVelocity.x < fastest - 0.1 })
        #expect(pass(link, atMost: 0.3) { $0.referenceVelocity.x < fastest })
        #expect(pass(link, atMost: 4) { $0.referenceVelocity.length < 0.05 && !$0.tracker.hasGoal })
        await link.close()
    }

    @Test func `body setpoints turn with the vehicle`() async throws {
        let link = try await flying()
        #expect(
            try await clock.run(through: {
                try await link.perform(.heading(radians: .pi / 2), within: .seconds(60)).accepted
            }))
        #expect(pass(link, atMost: 1) { $0.tracker.hasGoal })
        #expect(pass(link, atMost: 10) { abs($0.heading - .pi / 2) < 0.1 && !$0.tracker.hasGoal })
        try link.steer(setpoint(Vector3(x: 2, y: 0, z: 0), .body, validFor: .milliseconds(500)))
        #expect(pass(link, atMost: 0.5) { $0.referenceVelocity.y > 0.5 && abs($0.referenceVelocity.x) < 0.2 })
        await link.close()
    }

    @Test func `who cancels a take-off that has begun still gets its answer`() async throws {
        let link = made(try HexacopterSimulator())
        try await link.connect(within: .seconds(60))
        for command in [Command.arm(true), .enableOutput(true), .offboard] {
            #expect(try await clock.run(through: { try await link.perform(command, within: .seconds(60)).accepted }))
        }
        clock.advance(by: .milliseconds(10))
        let call = Task { try await link.perform(.takeoff, within: .seconds(60)) }
        #expect(await becomesTrue { link.snapshot.flight.state == .takingOff })
        call.cancel()
        #expect(try await call.value.accepted)
        await link.close()
    }

    @Test func `a frozen world stands still, refuses setpoints and goes on from there`() async throws {
        let link = try await flying()
        link.freeze(true)
        let before = link.snapshot.seconds
        #expect(!pass(link, atMost: 2) { $0.seconds != before })
        #expect(!link.quality.isConnected)
        try link.steer(setpoint(Vector3(x: 1, y: 0, z: 0)))
        #expect(link.quality.setpointsExpired == 1)
        link.freeze(false)
        #expect(link.snapshot.seconds < before + 0.01)
        #expect(pass(link, atMost: 0.1) { $0.seconds > before })
        await link.close()
    }

    @Test func `after a suspension it goes on from where it was`() async throws {
        let link = try await flying()
        let before = link.snapshot.seconds
        clock.advance(by: .seconds(3600))
        let after = link.snapshot.seconds
        #expect(after > before)
        #expect(after < before + 1)
        clock.advance(by: .milliseconds(100))
        #expect(abs(link.snapshot.seconds - after - 0.1) < 0.01)
        await link.close()
    }

    @Test func `many callers at once are all answered`() async throws {
        let link = try await flying()
        let answers = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let command: Command = index.isMultiple(of: 2) ? .hover : .altitude(metres: 3)
                    return (try? await link.perform(command, within: .seconds(60)).accepted) ?? false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 40)
        await link.close()
    }
}
