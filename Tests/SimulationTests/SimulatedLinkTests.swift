import Simulation
import Testing
import UAVLink

@Suite struct SimulatedLinkTests {
    /// A link to a vehicle that flies already.
    func flying(speed: Double = 10) async throws -> SimulatedLink {
        let flight = try Flight()
        #expect(flight.takeOff())
        flight.pause(3)
        var settings = SimulatedLink.Settings()
        settings.speed = speed
        let link = SimulatedLink(flight.simulator, settings: settings)
        try await link.connect(within: .seconds(1))
        return link
    }

    func wait(_ link: SimulatedLink, _ condition: (VehicleSnapshot) -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if condition(link.snapshot) { return true }
            try await Task.sleep(for: .milliseconds(2))
        }
        return false
    }

    /// Steers until the condition holds, as a stick does.
    func steer(
        _ link: SimulatedLink, _ velocity: Vector3, _ frame: VelocitySetpoint.Frame = .world,
        until condition: (VehicleSnapshot) -> Bool
    ) async throws -> Bool {
        try await wait(link) { seen in
            try? link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: velocity, frame: frame, intendedAt: SystemMonotonicClock().now,
                    validFor: .milliseconds(500)))
            return condition(seen)
        }
    }

    @Test func `a setpoint older than it is good for is refused and counted`() async throws {
        let link = try await flying()
        let now = SystemMonotonicClock().now
        let velocity = Vector3(x: 1, y: 0, z: 0)
        try link.steer(VelocitySetpoint(velocityMetresPerSecond: velocity, intendedAt: now - .milliseconds(300)))
        #expect(link.quality.setpointsStale == 1)
        #expect(link.quality.setpointsApplied == nil)
        #expect(link.snapshot.wantedVelocity.length < 0.02)
        try link.steer(
            VelocitySetpoint(
                velocityMetresPerSecond: velocity, intendedAt: SystemMonotonicClock().now,
                validFor: .milliseconds(500)))
        #expect(link.quality.setpointsApplied == 1)
        #expect(link.quality.setpointsSent == 2)
        await link.close()
    }

    @Test func `a setpoint that was meant before the newest one does not count`() async throws {
        let link = try await flying()
        let now = SystemMonotonicClock().now
        let long = Duration.milliseconds(500)
        let (ahead, back) = (Vector3(x: 1, y: 0, z: 0), Vector3(x: -1, y: 0, z: 0))
        try link.steer(VelocitySetpoint(velocityMetresPerSecond: ahead, intendedAt: now, validFor: long))
        try link.steer(
            VelocitySetpoint(velocityMetresPerSecond: back, intendedAt: now - .milliseconds(1), validFor: long))
        #expect(link.quality.setpointsStale == 1)
        #expect(link.quality.setpointsApplied == 1)
        await link.close()
    }

    @Test func `when setpoints stop, motion stops`() async throws {
        let link = try await flying()
        #expect(try await steer(link, Vector3(x: 3, y: 0, z: 0)) { $0.wantedVelocity.x > 0.5 })
        #expect(try await wait(link) { $0.wantedVelocity.length < 0.05 && !$0.tracker.hasGoal })
        await link.close()
    }

    @Test func `body setpoints turn with the vehicle`() async throws {
        let link = try await flying()
        let turned = try await link.perform(.heading(radians: .pi / 2), within: .seconds(5))
        #expect(turned.accepted)
        #expect(try await wait(link) { abs($0.heading - .pi / 2) < 0.1 && !$0.tracker.hasGoal })
        let isTurned = try await steer(link, Vector3(x: 2, y: 0, z: 0), .body) {
            $0.wantedVelocity.y > 0.3 && abs($0.wantedVelocity.x) < 0.2
        }
        #expect(isTurned)
        await link.close()
    }

    @Test func `who cancels a take-off that has begun still gets its answer`() async throws {
        let link = SimulatedLink(try HexacopterSimulator())
        try await link.connect(within: .seconds(1))
        for command in [Command.arm(true), .enableOutput(true), .offboard] {
            #expect(try await link.perform(command, within: .seconds(1)).accepted)
        }
        let call = Task { try await link.perform(.takeoff, within: .seconds(10)) }
        #expect(try await wait(link) { $0.flight.state == .takingOff })
        call.cancel()
        #expect(try await call.value.accepted)
        await link.close()
    }

    @Test func `a frozen world stands still and goes on from there`() async throws {
        let link = try await flying()
        link.freeze(true)
        let before = link.snapshot.seconds
        try await Task.sleep(for: .milliseconds(30))
        #expect(link.snapshot.seconds == before)
        #expect(!link.quality.isConnected)
        link.freeze(false)
        #expect(link.snapshot.seconds < before + 2)
        #expect(try await wait(link) { $0.seconds > before })
        await link.close()
    }

    @Test func `many callers at once are all answered`() async throws {
        let link = try await flying()
        let answers = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let command: Command = index.isMultiple(of: 2) ? .hover : .altitude(metres: 3)
                    return (try? await link.perform(command, within: .seconds(10)).accepted) ?? false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 40)
        await link.close()
    }
}
