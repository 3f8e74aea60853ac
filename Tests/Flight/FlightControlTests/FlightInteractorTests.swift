import FlightControl
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@Suite struct FlightInteractorTests {
    private let clock = FakeClock()

    private func connected(_ link: FakeLink) async throws -> FlightInteractor {
        try await link.connect(within: .seconds(1))
        var limits = FlightInteractor.Limits()
        limits.answer = .seconds(2)
        limits.stepRetryDelay = .milliseconds(1)
        limits.stepAttempts = 4
        return FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits)
    }

    @Test func `the take-off sequence asks for each step once, in order`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        try await clock.run(through: { try await flight.armAndTakeOff() })
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard, .takeoff])
        try await clock.run(through: { try await flight.waitForEffect(of: .takeoff) })
        #expect(link.latestTelemetry?.flight?.value.state == .flying)
        await link.close()
    }

    @Test func `offboard is tried again while control input is missing, nothing else is`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let missing = CommandReply(accepted: false, message: "Cannot switch to offboard, missing control input.")
        let done = CommandReply(accepted: true, message: "")
        link.script(.reply(done), .reply(done), .reply(missing), .reply(missing), .reply(done), .reply(done))
        try await clock.run(through: { try await flight.armAndTakeOff() })
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard, .offboard, .offboard, .takeoff])
        await link.close()
    }

    @Test func `offboard that stays refused ends the sequence before the take-off`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let done = CommandReply(accepted: true, message: "")
        let missing = CommandReply(accepted: false, message: "missing control input")
        link.script(.reply(done), .reply(done))
        link.always(.reply(missing))
        await #expect { try await clock.run(through: { try await flight.armAndTakeOff() }) } throws: { error in
            "\(error)".contains("refused offboard: missing control input")
        }
        #expect(link.commands.filter { $0 == .offboard }.count == 4)
        #expect(!link.commands.contains(.takeoff))
        await link.close()
    }

    @Test func `a take-off before the vehicle knows of its offboard mode is tried again`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let done = CommandReply(accepted: true, message: "")
        let gap = CommandReply(accepted: false, message: "can not takeoff, UAV not in offboard mode!")
        link.script(.reply(done), .reply(done), .reply(done), .reply(gap), .reply(gap), .reply(done))
        try await clock.run(through: { try await flight.armAndTakeOff() })
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard, .takeoff, .takeoff, .takeoff])
        await link.close()
    }

    @Test func `each step is awaited in the telemetry, three seconds at most`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let done = CommandReply(accepted: true, message: "")
        // Accepted, without an effect.
        link.script(.reply(done), .reply(done), .reply(done), .reply(done))
        let begun = clock.now
        try await clock.run(through: { try await flight.armAndTakeOff() })
        #expect((Duration.seconds(9) ... .milliseconds(9200)).contains(clock.now - begun))
        // With a vehicle that does it, no time passes.
        let again = clock.now
        try await clock.run(through: { try await flight.armAndTakeOff() })
        #expect(clock.now - again < .milliseconds(200))
        await link.close()
    }

    @Test func `motors that the sequence armed are off again when the vehicle refuses to take off`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.script(
            .delay(.zero), .delay(.zero), .delay(.zero), .reply(CommandReply(accepted: false, message: "too windy")))
        await #expect { try await clock.run(through: { try await flight.armAndTakeOff() }) } throws: { error in
            "\(error)" == "the vehicle refused takeoff: too windy"
        }
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard, .takeoff, .arm(false)])
        await link.close()
    }

    /// After an emergency landing the flight stack fails the call without a word, until it is restarted.
    @Test func `motors armed after an emergency landing are off again, since the output stays locked`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.script(.delay(.zero), .reply(CommandReply(accepted: false, message: "")))
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { try await flight.armAndTakeOff() })
        }
        #expect(link.commands == [.arm(true), .enableOutput(true), .arm(false)])
        await link.close()
    }

    /// Another ground, or the stack's automatic start, has it take off while ours is refused; or nothing more is heard of it.
    @Test(arguments: [FlightState.takingOff, nil])
    func `a vehicle that has not reported since the refusal that it stands is not disarmed`(tells: FlightState?)
        async throws
    {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        let refusal = CommandReply(accepted: false, message: "can not takeoff, need 'NullTracker' to be active!")
        link.script(.delay(.zero), .delay(.zero), .delay(.zero), .reply(refusal))
        let said = Mutex<[String]>([])
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { [clock] in
                try await flight.armAndTakeOff { line in
                    said.withLock { $0.append(line) }
                    guard line == "taking off", var telemetry = link.latestTelemetry else { return }
                    // The last that was heard of it is that it stands.
                    #expect(telemetry.flight?.value.state == .armed)
                    link.setVehicleSilent(true)
                    guard let tells else { return }
                    telemetry.flight?.value.state = tells
                    telemetry.flight?.at = clock.now + .milliseconds(1)
                    telemetry.tracker?.at = clock.now + .milliseconds(1)
                    link.publish(telemetry)
                }
            })
        }
        #expect(link.commands == [.arm(true), .enableOutput(true), .offboard, .takeoff])
        let left = "not disarmed, since telemetry does not confirm that the vehicle is on the ground; it may be armed"
        #expect(said.withLock { $0.last } == left)
        await link.close()
    }

    @Test func `whoever armed before is not disarmed, nor is a vehicle whose take-off may be under way`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.script(.delay(.zero), .delay(.zero), .delay(.zero), .fail(LinkError(.timedOut, "no answer")))
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { try await flight.armAndTakeOff() })
        }
        #expect(link.commands.last == .takeoff)
        // It is armed now, by another pilot as far as the next one knows.
        link.script(.reply(CommandReply(accepted: false, message: "too windy")))
        await #expect(throws: FlightInteractor.Failure.self) {
            try await clock.run(through: { try await flight.armAndTakeOff() })
        }
        #expect(!link.commands.contains(.arm(false)))
        await link.close()
    }

    @Test func `a refusal of another kind is not repeated`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.always(.reply(CommandReply(accepted: false, message: "no\u{1B}[2J way")))
        await #expect { try await clock.run(through: { try await flight.armAndTakeOff() }) } throws: { error in
            // The vehicle's text is shown, not obeyed.
            "\(error)" == "the vehicle refused arm: no\u{241B}[2J way"
        }
        #expect(link.commands == [.arm(true)])
        await link.close()
    }

    @Test func `a failing link is reported as such`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        let flight = try await connected(link)
        link.always(.fail(LinkError(.timedOut, "no answer")))
        await #expect { try await flight.perform(.hover) } throws: { error in
            guard case FlightInteractor.Failure.link(let inner) = error else { return false }
            return inner.code == .timedOut
        }
        await link.close()
    }

    @Test func `an effect that never comes is reported with what was seen last`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        try await link.connect(within: .seconds(1))
        var limits = FlightInteractor.Limits()
        limits.takeOff = .milliseconds(30)
        let flight = FlightInteractor(FlightDependency(link: link, clock: clock), limits: limits)
        await #expect { try await clock.run(through: { try await flight.waitForEffect(of: .takeoff) }) } throws: {
            error in
            "\(error)".contains("was not flying after") && "\(error)".contains("disarmed")
        }
        await link.close()
    }

    @Test func `a goto that needs the heading waits for the first telemetry`() async throws {
        let link = FakeLink(clock: clock, speed: 50)
        link.setVehicleSilent(true)
        let flight = try await connected(link)
        let goal = GoalInput(reference: .frame(.current), position: Vector3(x: 1, y: 2, z: 3))
        let waiting = Task { try await flight.command(for: goal) }
        await clock.run(for: .milliseconds(20))
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: .current, positionMetres: .zero, headingRadians: -0.5), at: clock.now)
        link.publish(telemetry)
        await clock.run(for: .milliseconds(20))
        #expect(
            try await waiting.value
                == .goTo(.init(.frame(.current), position: Vector3(x: 1, y: 2, z: 3), headingRadians: -0.5)))
        await link.close()
    }

    /// Such as an AR.Drone's: it flies to a latitude and longitude, and neither says its heading nor turns to one.
    private var headless: VehicleCapabilities {
        VehicleCapabilities(
            machine: "drone", commands: [.goTo, .land], destinations: .latitudeLongitude, steering: nil,
            telemetry: .flight)
    }

    @Test
    func `a goto that the machine has not is refused before its heading is asked for, and one without headings has 0`()
        throws
    {
        let place = Vector3(x: 50, y: 14, z: 0)
        let unknown = GoalInput(reference: .frame(.current), position: place)
        #expect(!unknown.needsHeading(of: headless) && unknown.needsHeading(of: .mrs))
        let error = #expect(throws: LinkError.self) { try unknown.command(knowing: nil, of: headless) }
        #expect(error?.code == .unsupported && error?.what == "drone has no goto in a frame")
        let known = GoalInput(reference: .frame(.latitudeLongitude), position: place)
        #expect(!known.needsHeading(of: headless))
        #expect(
            try known.command(knowing: nil, of: headless)
                == .goTo(.init(.frame(.latitudeLongitude), position: place, headingRadians: 0)))
    }

    @Test func `an effect that cannot be seen is refused before anything is sent, but for what stops or lands`()
        async throws
    {
        let link = FakeLink(clock: clock)
        link.vehicleCapabilities = headless
        let flight = try await connected(link)
        let goal = Command.goTo(
            .init(.frame(.latitudeLongitude), position: Vector3(x: 50, y: 14, z: 0), headingRadians: 0))
        do throws(FlightInteractor.Failure) {
            try flight.requireVisibleEffect(of: goal)
            Issue.record("a goto without a tracker cannot be seen to arrive")
        } catch {
            #expect(error.description.contains("the effect of goto cannot be seen"), "\(error)")
            #expect(error.description.contains("drone has no tracker"), "\(error)")
        }
        try flight.requireVisibleEffect(of: .land)
        link.vehicleCapabilities.telemetry = []
        try flight.requireVisibleEffect(of: .land)
        #expect(link.commands.isEmpty)
        await link.close()
    }

    @Test func `a goto without a heading keeps the present one`() throws {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: .current, positionMetres: .zero, headingRadians: 1.5), at: MonotonicTime(nanoseconds: 1))
        let place = Vector3(x: 1, y: 2, z: 3)
        let absolute = GoalInput(reference: .frame(.worldOrigin), position: place)
        #expect(
            try absolute.command(knowing: telemetry)
                == .goTo(.init(.frame(.worldOrigin), position: place, headingRadians: 1.5)))
        #expect(throws: LinkError.self) { try absolute.command(knowing: nil) }
        #expect(
            try GoalInput(reference: .body, position: place).command(knowing: telemetry)
                == .goTo(.init(.body, position: place, headingRadians: 0)))
    }
}
