import ModeKit
import ModeTestKit
import JoystickMode
import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// Take-off and landing.
extension JoystickTests {
    @Test("take-off asks, arms, and is shown until it flies; no is no")
    func takeOff() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.send(.takeOff)
        #expect(bench.view.shown.question?.title == "Arm the motors of uav1 and take off?")
        bench.send(.answer(false))
        #expect(bench.view.shown.question == nil)
        #expect(bench.link.commands == [])
        bench.send(.takeOff, .answer(true))
        #expect(bench.view.shown.underWay?.hasPrefix("take-off") == true)
        #expect(await bench.wait { bench.view.shown.underWay == nil })
        #expect(bench.link.commands == [.arm(true), .enableOutput(true), .offboard, .takeoff])
        #expect(bench.stage.notices.last == Notice(.success, "uav1: take-off done"))
        bench.send(.takeOff)
        #expect(bench.view.shown.question == nil)
        await bench.end()
    }

    @Test func `the question before a take-off names no arming where the machine has none`() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.link.vehicleCapabilities.commands.remove(.arm)
        bench.send(.takeOff)
        #expect(bench.view.shown.question?.title == "Take off with uav1?")
        await bench.end()
    }

    @Test("a take-off that is refused says so, one that is cancelled goes no step further")
    func takeOffFails() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.link.script(.reply(CommandReply(accepted: false, message: "no\u{1B} way")))
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.view.shown.underWay == nil })
        #expect(bench.stage.notices.last == Notice(.error, "uav1: the vehicle refused arm: no\u{241B} way"))
        bench.link.script(.silence)
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.link.commands.count == 2 })
        bench.send(.leave)
        #expect(bench.stage.wentBack == 0)
        #expect(bench.view.shown.underWay == nil)
        for _ in 0..<20 { await bench.timeSource.beat(.milliseconds(50)) }
        #expect(bench.link.commands == [.arm(true), .arm(true)])
        await bench.end()
    }

    @Test("disarming asks, and is refused in the air")
    func disarming() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.view.shown.underWay == nil })
        // What is refused is not asked.
        bench.send(.disarm)
        #expect(bench.view.shown.question == nil)
        #expect(bench.stage.notices.last?.text == "uav1: in the air; without motors it falls: land first")
        bench.send(.answer(true))
        #expect(bench.link.commands.last == .takeoff)
        await bench.end()
        let standing = try await JoystickBench(flying: false)
        // Whose motors are off is not asked about them.
        standing.send(.disarm)
        #expect(standing.view.shown.question == nil)
        #expect(standing.stage.notices.last?.text == "uav1: the motors are off already")
        _ = try await standing.link.perform(.arm(true), within: .seconds(1))
        #expect(await standing.wait { standing.link.latestTelemetry?.flight?.value.isArmed == true })
        standing.send(.disarm)
        #expect(standing.view.shown.question?.title == "Stop the motors of uav1?")
        standing.send(.answer(false))
        standing.send(.disarm, .answer(true))
        #expect(await standing.wait { standing.view.shown.underWay == nil })
        #expect(standing.link.commands == [.arm(true), .arm(false)])
        #expect(standing.stage.notices.last == Notice(.success, "uav1: disarming done"))
        await standing.end()
    }

    @Test("only the keys that act in this state of the vehicle are shown")
    func keysOfTheState() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.send(.lostFocus)
        #expect(bench.view.shown.hasTakeOff && !bench.view.shown.hasLanding && !bench.view.shown.hasDisarming)
        _ = try await bench.link.perform(.arm(true), within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.hasDisarming && bench.view.shown.hasTakeOff })
        #expect(!bench.view.shown.hasLanding)
        bench.send(.takeOff)
        #expect(bench.view.shown.question?.title == "Take off with uav1?")
        bench.send(.answer(false))
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.view.shown.underWay == nil })
        #expect(await bench.wait { bench.view.shown.hasLanding && !bench.view.shown.hasTakeOff })
        #expect(!bench.view.shown.hasDisarming && bench.view.shown.canHover)
        await bench.end()
    }

    @Test("with the link lost, the vehicle's state is marked as past, and disarming is not offered once it is old")
    func lostLink() async throws {
        let bench = try await JoystickBench(flying: false)
        _ = try await bench.link.perform(.arm(true), within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.hasDisarming })
        bench.link.setVehicleSilent(true)
        bench.link.setQuality(LinkQuality(isConnected: false))
        await bench.timeSource.fake.run(for: .seconds(6))
        #expect(bench.view.shown.vehicle == "uav1 was armed" && !bench.view.shown.hasDisarming)
        await bench.end()
    }

    @Test func `why steering ended is said of the steering, and no longer once the vehicle does something else`()
        async throws
    {
        let bench = try await JoystickBench()
        #expect(await bench.flyForward())
        let goal = Command.goTo(.init(.relative, position: .zero, headingRadians: 0))
        bench.instance.stopMotion(.command(goal))
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.view.shown.lastStop?.text == "steering ended: you commanded goto")
        // No goal is left: it has arrived, or hovers.
        #expect(await bench.wait { bench.view.shown.lastStop == nil })
        await bench.end()
    }

    @Test func `over a lost link no key is offered that would not act, and the advice says what helps`() async throws {
        let bench = try await JoystickBench()
        #expect(await bench.wait { bench.view.shown.advice == "Enter takes control" })
        bench.link.setQuality(LinkQuality(isConnected: false))
        await bench.timeSource.beat(.milliseconds(100))
        #expect(await bench.wait { bench.view.shown.isLinkLost })
        #expect(bench.view.shown.advice.hasPrefix("link lost: "))
        let screen = JoystickScreen { _ in }
        screen.show(bench.view.shown)
        let offered = screen.keys.map(\.keys)
        for key in ["Enter", "Space", "t", "L", "D"] { #expect(!offered.contains(key), "\(key)") }
        await bench.end()
    }

    @Test("telemetry of long ago does not show that motors run: the question says that they are armed")
    func oldTelemetry() async throws {
        let bench = try await JoystickBench(flying: false)
        // In offboard mode nobody can be flying it by radio, which would be an obstacle.
        for step in [Command.arm(true), .offboard] { _ = try await bench.link.perform(step, within: .seconds(1)) }
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.isOffboard == true })
        bench.send(.takeOff)
        #expect(bench.view.shown.question?.title == "Take off with uav1?")
        bench.send(.answer(false))
        bench.link.setVehicleSilent(true)
        await bench.timeSource.fake.run(for: .seconds(3))
        bench.send(.takeOff)
        #expect(bench.view.shown.question?.title == "Arm the motors of uav1 and take off?")
        bench.send(.answer(false))
        await bench.end()
    }

    @Test("while it takes off or lands hover is not offered: it would be refused", arguments: [true, false])
    func noHoverMeanwhile(takesOff: Bool) async throws {
        let bench = try await JoystickBench(flying: !takesOff)
        #expect(takesOff || bench.view.shown.canHover)
        if takesOff { bench.send(.takeOff, .answer(true)) } else { bench.send(.land) }
        let state = takesOff ? FlightState.takingOff : .landing
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == state })
        bench.presenter?.look()
        #expect(!bench.view.shown.canHover)
        await bench.end()
    }

    @Test("in an emergency neither a take-off nor stopping the motors is asked for: both would be refused")
    func emergency() async throws {
        let bench = try await JoystickBench()
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == .emergency })
        bench.send(.takeOff)
        #expect(bench.view.shown.question == nil)
        #expect(bench.stage.notices.last?.text == "emergency: the vehicle accepts no commands")
        #expect(await bench.wait { !bench.view.shown.hasDisarming && !bench.view.shown.hasTakeOff })
        bench.send(.disarm)
        #expect(bench.view.shown.question == nil)
        #expect(bench.stage.notices.last?.text.contains("in the air; without motors it falls") == true)
        await bench.end()
    }

    @Test func `where a take-off clears an emergency, it is asked for in these words, and sent`() async throws {
        let bench = try await JoystickBench()
        bench.link.vehicleCapabilities.takeOffClearsEmergency = true
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == .emergency })
        #expect(await bench.wait { bench.view.shown.hasTakeOff })
        #expect(bench.view.shown.advice == "emergency: look at the vehicle; then t clears it")
        bench.send(.takeOff)
        #expect(
            bench.view.shown.question?.title == "Clear the emergency of uav1? It does not take off by that")
        let before = bench.link.commands.count
        bench.send(.answer(true))
        #expect(await bench.wait { bench.link.commands.count > before })
        await bench.end()
    }

    @Test("after an emergency landing a take-off is refused at once, without arming")
    func afterEmergencyLanding() async throws {
        let bench = try await JoystickBench()
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == .disarmed })
        #expect(await bench.wait { bench.view.shown.advice.contains("restart the flight stack") })
        bench.send(.takeOff)
        #expect(bench.view.shown.question == nil && !bench.view.shown.hasTakeOff)
        #expect(bench.stage.notices.last?.text.contains("after an emergency landing") == true)
        #expect(bench.link.commands == [.emergencyLand])
        await bench.end()
    }

    @Test("landing while steering ends setpoints first and commands no hover")
    func landing() async throws {
        let bench = try await JoystickBench()
        #expect(await bench.flyForward())
        bench.send(.land)
        #expect(await bench.wait { bench.view.shown.underWay == nil && bench.state == "RELEASED" })
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == .disarmed })
        #expect(bench.link.commands == [.land])
        guard case .command(.land)? = bench.link.asked.last else {
            Issue.record("a setpoint followed the landing")
            return await bench.end()
        }
        await bench.end()
    }

    @Test("a landing waits for nothing: not for a take-off, nor for a landing that was given before")
    func landingAtAnyTime() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.link.script(.delay(.zero), .delay(.zero), .delay(.zero), .silence)
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.link.commands.last == .takeoff })
        bench.send(.land)
        #expect(await bench.wait { bench.link.commands.last == .land })
        bench.send(.land)
        #expect(await bench.wait { bench.link.commands.filter { $0 == .land }.count == 2 })
        await bench.end()
    }

    @Test("what stops does not wait for a request for control that is not answered", arguments: [true, false])
    func stopsAtOnce(lands: Bool) async throws {
        let bench = try await JoystickBench()
        let other = GatedLink(clock: bench.timeSource.fake)
        other.see(.flying)
        other.fallSilent()
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: other)
        bench.send(.toggleControl)
        #expect(await bench.wait { !other.wishes.isEmpty })
        let begun = bench.timeSource.fake.now
        bench.send(lands ? .land : .hover)
        #expect(await bench.wait { other.commands.first == (lands ? .land : .hover) })
        #expect(bench.timeSource.fake.now - begun <= .milliseconds(350))
        // Nor does anything follow when the request is given up.
        for _ in 0..<200 { await bench.timeSource.beat(.milliseconds(50)) }
        #expect(other.commands.count == 1 && other.setpoints.isEmpty, "\(other.commands)")
        await bench.end()
    }

    @Test("with all vehicles commanded, take-off, hover and landing go to each")
    func all() async throws {
        let bench = try await JoystickBench()
        let other = FakeLink(.flying, clock: bench.timeSource.fake, speed: 20)
        try await other.connect(within: .seconds(1))
        bench.fleet.add(profile: VehicleProfile(name: "other"), link: other)
        bench.fleet.select(1)
        bench.fleet.commandsAll = true
        #expect(await bench.flyForward())
        bench.send(.hover)
        #expect(await bench.wait { other.commands == [.hover] && bench.state == "RELEASED" })
        #expect(bench.hovers == 1)
        #expect(other.setpoints.isEmpty)
        bench.send(.land)
        #expect(await bench.wait { other.commands.last == .land && bench.link.commands.last == .land })
        await bench.end()
        await other.close()
    }
}
