import FlightControl
import ModeKit
import ModeTestKit
import JoystickMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// What is refused at once and with the way out, what is kept from one visit to the next, and the keys that lead on.
extension JoystickTests {
    private func keys(_ bench: JoystickBench) -> [KeyHelp] {
        let screen = JoystickScreen { _ in }
        screen.show(bench.view.shown)
        return screen.keys
    }

    @Test func `after an emergency landing control is refused with the reason, and neither offered nor waited for`()
        async throws
    {
        let bench = try await JoystickBench()
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == .disarmed })
        #expect(await bench.wait { bench.view.shown.advice.contains("restart the flight stack") })
        #expect(!keys(bench).contains { $0.keys == "Enter" })
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED" && bench.view.shown.pending.isEmpty)
        #expect(bench.stage.notices.last?.text.contains("restart the flight stack") == true)
        await bench.end()
    }

    @Test func `a request that waits ends with the reason when the vehicle cannot fly any more`() async throws {
        let bench = try await JoystickBench()
        bench.send(.press(JoystickBench.forward), .toggleControl)
        #expect(bench.state == "WAITING")
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.stage.notices.last?.text == "uav1: in an emergency: it accepts no commands")
        await bench.end()
    }

    /// What flies when the link is back may be another flight, which somebody else began.
    @Test func `a lost link ends a request that waits, and none is taken over it`() async throws {
        let bench = try await JoystickBench()
        bench.send(.press(JoystickBench.forward), .toggleControl)
        #expect(bench.state == "WAITING")
        bench.link.setQuality(LinkQuality(isConnected: false))
        #expect(await bench.wait(for: "RELEASED"))
        let words = "uav1: link lost: take control when it is back"
        #expect(bench.stage.notices.last?.text == words && !keys(bench).contains { $0.keys == "Enter" })
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED" && bench.stage.notices.count { $0.text == words } == 2)
        // Nor does a take-off speak of what it did before.
        bench.send(.takeOff)
        #expect(bench.stage.notices.last?.text == "uav1: link lost: a take-off would not reach it")
        bench.link.setQuality(LinkQuality(isConnected: true))
        #expect(await bench.wait { !bench.view.shown.isLinkLost })
        #expect(bench.state == "RELEASED" && bench.link.setpoints.isEmpty)
        await bench.end()
    }

    /// A machine with its own protocol has no tracker and no companion.
    @Test(arguments: [
        (LinkKind.direct, "it may follow its last setpoint until its own failsafe ends that"),
        (.ros, "without setpoints the vehicle stops by itself"), (.udp, "its companion stops the vehicle"),
    ])
    func `what ends the motion over a lost link is what that vehicle has`(kind: LinkKind, words: String) async throws {
        let bench = try await JoystickBench(kind: kind)
        #expect(await bench.flyForward())
        bench.link.always(.fail(LinkError(.timedOut, "no answer")))
        bench.link.setQuality(LinkQuality(isConnected: false))
        #expect(await bench.wait(for: "RELEASED"))
        let text = bench.view.shown.lastStop?.text ?? ""
        #expect(text.hasSuffix("stop NOT CONFIRMED; \(words)"), "\(text)")
        await bench.end()
    }

    @Test func `while another pilot has control no take-off and no disarming is offered or asked about`() async throws {
        let bench = try await JoystickBench(flying: false)
        _ = try await bench.link.perform(.arm(true), within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.hasDisarming && bench.view.shown.hasTakeOff })
        bench.link.setVehicleSilent(true)
        bench.link.setKnownStops(0)
        var telemetry = try #require(bench.link.latestTelemetry)
        let now = bench.timeSource.fake.now
        telemetry.control = Sample(
            ControlStatus(pilot: .init(name: "anna", since: now, isYou: false), isSteering: false), at: now)
        bench.link.publish(telemetry)
        #expect(await bench.wait { !bench.view.shown.hasDisarming && !bench.view.shown.hasTakeOff })
        for intent in [JoystickIntent.disarm, .takeOff] {
            bench.send(intent)
            #expect(bench.view.shown.question == nil)
            #expect(bench.stage.notices.last?.text == "anna has control of uav1; F12 takes over")
        }
        await bench.end()
    }

    @Test func `an emergency that was cleared is said to be, and not that the take-off was refused`() async throws {
        let bench = try await JoystickBench()
        bench.link.vehicleCapabilities.takeOffClearsEmergency = true
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.clearsEmergency })
        #expect(keys(bench).first { $0.keys == "t" }?.action == "clear the emergency")
        bench.link.always(.reply(CommandReply(accepted: false, message: "the emergency is cleared")))
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.stage.notices.last?.weight == .success })
        #expect(
            bench.stage.notices.last?.text == "uav1: emergency cleared: take off again if it stands level and free")
        #expect(bench.link.commands == [.emergencyLand, .takeoff])
        await bench.end()
    }

    @Test func `an emergency that ended by itself meanwhile is not cleared: that would be a take-off`() async throws {
        let bench = try await JoystickBench()
        bench.link.vehicleCapabilities.takeOffClearsEmergency = true
        _ = try await bench.link.perform(.emergencyLand, within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.clearsEmergency })
        bench.send(.takeOff)
        #expect(await bench.wait { bench.link.latestTelemetry?.flight?.value.state == .disarmed })
        bench.send(.answer(true))
        #expect(await bench.wait { bench.view.shown.underWay == nil })
        #expect(bench.link.commands == [.emergencyLand])
        #expect(bench.stage.notices.last?.text.contains("nothing was sent") == true)
        await bench.end()
    }

    @Test func `a key that steers says what comes first, once while it is held`() async throws {
        let bench = try await JoystickBench(held: false)
        #expect(await bench.wait { bench.view.shown.advice == "Enter takes control" })
        for _ in 0..<5 { bench.send(.press(JoystickBench.forward)) }
        #expect(bench.stage.notices.map(\.text) == ["Enter takes control first"])
        #expect(bench.link.setpoints.isEmpty)
        await bench.end()
        let standing = try await JoystickBench(flying: false)
        #expect(await standing.wait { standing.view.shown.advice.hasPrefix("t takes off") })
        standing.send(.press(JoystickBench.forward))
        #expect(standing.stage.notices.last?.text == "nothing is steered: t takes off; then Enter takes control")
        await standing.end()
    }

    @Test func `the speed limit is kept for each vehicle, and the other settings for all, when the screen is left`()
        async throws
    {
        let store = JoystickStore()
        let first = try await JoystickBench(store: store)
        let slow = first.view.shown.limits
        first.send(.speed(1), .rate(1), .changeLayout)
        let (fast, rate, layout) = (first.view.shown.limits, first.view.shown.rateHertz, first.view.shown.layout)
        #expect(fast != slow)
        await first.end()
        let again = try await JoystickBench(store: store)
        again.send(.lostFocus)
        #expect(again.view.shown.limits == fast)
        #expect(again.view.shown.rateHertz == rate && again.view.shown.layout == layout)
        let other = FakeLink(.flying, clock: again.timeSource.fake, speed: 20)
        try await other.connect(within: .seconds(1))
        again.fleet.add(profile: VehicleProfile(name: "other"), link: other)
        again.send(.lostFocus)
        #expect(again.view.shown.limits == slow)
        await again.end()
        await other.close()
    }

    @Test func `Esc stops waiting for a command, and says so; x hovers as on the map`() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.link.script(.silence)
        bench.send(.takeOff, .answer(true))
        #expect(keys(bench).first == KeyHelp("Esc", "stop waiting"))
        bench.send(.leave)
        #expect(bench.stage.wentBack == 0 && bench.view.shown.underWay == nil)
        await bench.end()
    }

    @Test func `the answer to a hover stands in the place of what was said of an older command`() async throws {
        let bench = try await JoystickBench()
        bench.stage.say(Notice(.success, "uav1: take-off done"))
        #expect(await bench.flyForward())
        bench.send(.hover)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.stage.notices.last?.text.hasPrefix("uav1: hover accepted in ") == true, "\(bench.stage.notices)")
        #expect(bench.stage.notices.last?.weight == .success)
        // So it does when control is released.
        #expect(await bench.flyForward())
        bench.stage.say(Notice(.success, "uav1: something else done"))
        bench.send(.toggleControl)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.stage.notices.last?.text.hasPrefix("uav1: hover accepted in ") == true, "\(bench.stage.notices)")
        await bench.end()
    }
}
