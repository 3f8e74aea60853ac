import ModeKit
import ModeTestKit
import FlightControl
import JoystickMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("Joystick")
struct JoystickTests {
    @Test("control engages with sticks in the middle only, and says which is not")
    func neutralFirst() async throws {
        let bench = try await JoystickBench()
        bench.send(.press(JoystickBench.forward), .press(StickKey("r", .climb)), .toggleControl)
        #expect(bench.state == "WAITING")
        #expect(bench.view.shown.advice == "centre the sticks: climb, forward")
        bench.send(.release(JoystickBench.forward))
        #expect(bench.view.shown.advice == "centre the sticks: climb")
        bench.send(.release(StickKey("r", .climb)))
        #expect(bench.state == "ENGAGED")
        #expect(await bench.wait { !bench.link.setpoints.isEmpty })
        #expect(!bench.moves)
        bench.send(.press(JoystickBench.forward))
        #expect(await bench.wait { bench.moves })
        bench.send(.toggleControl)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.hovers == 1)
        let why = "steering ended: you released control; hover accepted in "
        #expect(bench.view.shown.lastStop?.text.hasPrefix(why) == true)
        await bench.end()
    }

    @Test("a vehicle with two axes, without a position or a take-off, is steered along these, and the rest is refused")
    func fewCapabilities() async throws {
        let bench = try await JoystickBench()
        bench.link.vehicleCapabilities = VehicleCapabilities(
            machine: "rover", commands: [.hover],
            steering: .init(
                axes: [.forward, .turn], frames: .body,
                most: .init(horizontalMetresPerSecond: 0.5, verticalMetresPerSecond: 0, turningRadiansPerSecond: 1)),
            telemetry: [.flight, .velocity])
        // A key of an axis that it does not have does not keep control from engaging.
        bench.send(.press(StickKey("a", .left)), .toggleControl)
        #expect(bench.state == "ENGAGED")
        let shown = bench.view.shown
        #expect(shown.axes == [.forward, .turn] && !shown.hasTakeOff && !shown.hasLanding && !shown.hasFrames)
        #expect(shown.mapObstacle == "rover has no position" && shown.limits.horizontalMetresPerSecond == 0.5)
        bench.send(.press(JoystickBench.forward))
        #expect(await bench.wait { bench.moves })
        bench.send(.changeFrame, .takeOff, .land)
        #expect(
            bench.stage.notices.map(\.text) == [
                "Enter takes control first", "rover takes velocities in the body frame only",
                "uav1: rover has no take-off",
                "uav1: rover has no landing",
            ])
        #expect(bench.state == "ENGAGED" && bench.view.shown.question == nil && bench.link.commands.isEmpty)
        #expect(
            bench.link.setpoints.allSatisfy {
                let velocity = $0.velocityMetresPerSecond
                return velocity.y == 0 && velocity.z == 0 && velocity.x <= 0.5 && $0.frame == .body
            })
        bench.send(.toggleControl)
        #expect(await bench.wait(for: "RELEASED"))
        bench.link.vehicleCapabilities.steering = nil
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED" && bench.stage.notices.last?.text == "uav1: rover has no steering")
        await bench.end()
    }

    @Test("on the ground control waits, and never engages by itself once it was given back")
    func onTheGround() async throws {
        let bench = try await JoystickBench(flying: false)
        bench.send(.toggleControl)
        #expect(bench.state == "WAITING")
        #expect(bench.view.shown.advice == "the vehicle is disarmed: no output, no offboard, no take-off")
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED")
        #expect(bench.link.commands == [])
        await bench.end()
    }

    /// Everything that stops, with the beginning of what is then said.
    enum Cause: String, CaseIterable {
        case enter, space, escape, focus, suspended, terminal, silence, link, otherVehicle, landing, stopKey
    }

    @Test(
        "every stop ends setpoints and hovers once, says why, and motion does not come back", arguments: Cause.allCases)
    func stops(_ cause: Cause) async throws {
        let bench = try await JoystickBench()
        let other = FakeLink(.flying, clock: bench.timeSource.fake)
        if cause == .otherVehicle {
            bench.fleet.add(profile: VehicleProfile(name: "other"), link: other)
            bench.fleet.select(1)
        }
        #expect(await bench.flyForward())
        let why: String
        switch cause {
        case .enter:
            bench.send(.toggleControl)
            why = "you released control"
        case .space:
            bench.send(.hover)
            why = "the hover key"
        case .escape:
            bench.send(.leave)
            #expect(bench.stage.wentBack == 1)
            why = "you released control"
        case .focus:
            bench.send(.lostFocus)
            why = "the terminal lost focus"
        case .silence:
            bench.timeSource.fake.advance(by: .seconds(3))
            why = "this program stalled for"
        case .link:
            bench.link.setQuality(LinkQuality(isConnected: false))
            why = "the link failed (no messages received from the vehicle)"
        case .otherVehicle:
            bench.fleet.selectNext()
            why = "another vehicle was selected"
        case .landing:
            _ = try await bench.link.perform(.land, within: .seconds(1))
            // The fake vehicle is down before a busy machine has looked.
            why = "the vehicle is not flying ("
        case .stopKey:
            bench.instance.stopMotion(.user)
            why = "a stop key"
        case .suspended:
            bench.instance.stopMotion(.suspended)
            why = "the program was suspended"
        case .terminal:
            bench.instance.stopMotion(.terminalSilent)
            why = "the terminal no longer answers"
        }
        #expect(await bench.wait(for: "RELEASED"))
        // The companion may say first that a vehicle which is down takes no setpoints.
        let starts = cause == .landing ? ["steering ended", "not steering"] : ["steering ended"]
        let text = bench.view.shown.lastStop?.text ?? "-"
        #expect(starts.contains { text.hasPrefix("\($0): \(why)") }, "\(text)")
        #expect(bench.hovers == (cause == .landing || cause == .stopKey ? 0 : 1))
        let sent = bench.link.setpoints.count
        // The key is still down and repeats; a second passes.
        for _ in 0..<30 {
            bench.send(.repeats(JoystickBench.forward))
            await bench.timeSource.beat(.milliseconds(50))
        }
        #expect(bench.link.setpoints.count == sent)
        await bench.end()
        await other.close()
    }

    @Test func `after a stall the sticks are ignored, and the screen says so, until they were centred`() async throws {
        let bench = try await JoystickBench()
        #expect(await bench.flyForward())
        bench.timeSource.fake.advance(by: .milliseconds(500))
        #expect(await bench.wait { bench.view.shown.advice.hasPrefix("this program stalled: centre the sticks") })
        #expect(bench.state == "ENGAGED")
        #expect(await bench.wait { !bench.moves })
        bench.send(.release(JoystickBench.forward))
        #expect(await bench.wait { bench.view.shown.advice.hasPrefix("steering; ") })
        bench.send(.press(JoystickBench.forward))
        #expect(await bench.wait { bench.moves })
        await bench.end()
    }

    @Test("steps: a press moves and stops by itself; the screen says why")
    func steps() async throws {
        let bench = try await JoystickBench(held: false)
        bench.send(.press(JoystickBench.forward), .toggleControl)
        #expect(bench.state == "ENGAGED")
        #expect(bench.view.shown.sourceNote?.text.contains("each press is one step") == true)
        #expect(await bench.wait { !bench.link.setpoints.isEmpty })
        bench.send(.press(JoystickBench.forward))
        #expect(await bench.wait { bench.moves })
        #expect(await bench.wait { !bench.moves })
        #expect(bench.state == "ENGAGED")
        // The first key that is seen coming up shows that the terminal can tell.
        bench.send(.release(JoystickBench.forward))
        #expect(bench.view.shown.sourceNote == nil)
        #expect(bench.view.shown.source == "keyboard, held keys")
        await bench.end()
    }

    @Test("settings change within their bounds, and those of a run only between runs")
    func settings() async throws {
        let bench = try await JoystickBench()
        bench.send(.speed(1), .rate(1), .changeFrame, .changeLayout)
        #expect(bench.view.shown.limits.horizontalMetresPerSecond == 2.5)
        #expect(bench.view.shown.rateHertz == 200)
        #expect(bench.view.shown.frame == .world)
        #expect(bench.view.shown.layout == .mode3)
        #expect(bench.stage.notices.map(\.text) == ["setpoint rate: 200 Hz", "stick layout: mode 3"])
        bench.send(.toggleControl, .rate(1), .changeLayout, .changeSource, .speed(-1))
        #expect(bench.view.shown.rateHertz == 200)
        #expect(bench.view.shown.layout == .mode3)
        #expect(bench.view.shown.source == "keyboard, held keys")
        #expect(bench.view.shown.limits.horizontalMetresPerSecond == 2)
        bench.send(.toggleControl)
        #expect(await bench.wait(for: "RELEASED"))
        bench.send(.changeSource)
        #expect(bench.view.shown.source == "no controller")
        #expect(bench.stage.notices.last?.text == "input device: game controller")
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED")
        for _ in 0..<20 { bench.send(.changeSource, .rate(1)) }
        #expect(bench.view.shown.rateHertz == 1000)
        #expect(bench.stage.notices.last?.text == "setpoint rate: 1000 Hz, the highest")
        await bench.end()
    }

    @Test("a caller that leaves and waits knows that the vehicle got the stop")
    func settling() async throws {
        let bench = try await JoystickBench()
        #expect(await bench.flyForward())
        bench.link.always(.delay(.milliseconds(20)))
        try await bench.timeSource.fake.run(through: { await bench.instance.detachAndWait() })
        #expect(bench.link.commands == [.hover])
        await bench.end()
    }

    @Test("over plain SSH each setpoint is good for as long as may be, and what arrives is shown beside what is asked")
    func ssh() async throws {
        let bench = try await JoystickBench(kind: .ssh)
        #expect(await bench.flyForward())
        #expect(bench.link.setpoints.allSatisfy { $0.validFor == VelocitySetpoint.longestValidity })
        #expect(bench.view.shown.link == .ssh)
        #expect(bench.view.shown.rateHertz == 100)
        // The vehicle's end took two of all that came, within the next two seconds.
        var quality = bench.link.quality
        quality.setpointsApplied = 0
        bench.link.setQuality(quality)
        await bench.timeSource.beat(.milliseconds(50))
        for step in 0..<40 {
            quality.setpointsApplied = step < 20 ? 1 : 2
            bench.link.setQuality(quality)
            await bench.timeSource.beat(.milliseconds(50))
        }
        let applied = try #require(bench.view.shown.appliedHertz)
        #expect((0.5...1.1).contains(applied), "\(applied)")
        bench.send(.toggleControl)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.hovers == 1)
        await bench.end()
    }

    @Test("left in full motion: the mode is let go of, its tasks end, the pump ends, hover is commanded")
    func release() async throws {
        let link: FakeLink
        let timeSource: FakeTimeSource
        weak var presenter: JoystickPresenter?
        weak var view: FakeJoystickView?
        do {
            let bench = try await JoystickBench()
            link = bench.link
            timeSource = bench.timeSource
            #expect(await bench.flyForward())
            presenter = bench.presenter
            view = bench.view
            // The mode's and the fake link's own.
            #expect(timeSource.pauses == 2)
            bench.instance.detach()
        }
        await timeSource.beat(.seconds(1))
        #expect(link.commands == [.hover])
        #expect(presenter == nil)
        #expect(view == nil)
        #expect(timeSource.pauses == 1)
        guard case .command(.hover)? = link.asked.last else {
            Issue.record("a setpoint followed the hover")
            return
        }
        await link.close()
    }
}
