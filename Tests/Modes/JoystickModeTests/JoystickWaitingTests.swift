import FlightControl
import GameController
import JoystickMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// What is said while control was requested and does not engage yet, and who is said to have control.
extension JoystickTests {
    @Test func `a request that waits says what it waits for, that control then engages by itself, and what cancels it`()
        async throws
    {
        let bench = try await JoystickBench()
        #expect(bench.view.shown.pending.isEmpty)
        bench.send(.press(JoystickBench.forward), .toggleControl)
        #expect(bench.state == "WAITING")
        #expect(bench.view.shown.pending == "control engages by itself once the sticks are centred; Enter cancels")
        bench.send(.release(JoystickBench.forward))
        #expect(bench.state == "ENGAGED" && bench.view.shown.pending.isEmpty)
        await bench.end()
    }

    @Test func `of a flying vehicle that takes no setpoints control is refused, with the way out`() async throws {
        let bench = try await JoystickBench()
        _ = try await bench.link.perform(.emergencyHover, within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.advice.hasPrefix("the vehicle takes no setpoints: ") })
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED" && bench.link.setpoints.isEmpty)
        let text = bench.stage.notices.last?.text ?? ""
        #expect(text.hasPrefix("uav1: the vehicle takes no setpoints: "), "\(text)")
        let reason = "holds after an emergency hover or an interrupted landing (then land, and take off again)"
        #expect(text.hasSuffix(reason), "\(text)")
        await bench.end()
    }

    @Test func `a request waits while a vehicle changes its tracker, and engages once it takes setpoints`() async throws
    {
        let bench = try await JoystickBench()
        bench.presenter?.look()
        bench.link.setVehicleSilent(true)
        for step in 0..<5 {
            var telemetry = bench.link.vehicle.telemetry(name: "uav1", now: bench.timeSource.fake.now)
            telemetry.tracker?.value.takesReferences = false
            bench.link.publish(telemetry)
            if step == 0 { bench.send(.toggleControl) }
            await bench.timeSource.fake.run(for: .milliseconds(40))
            #expect(bench.state == "WAITING" && bench.link.setpoints.isEmpty)
        }
        bench.link.setVehicleSilent(false)
        #expect(await bench.wait(for: "ENGAGED"))
        await bench.end()
    }

    @Test func `a request is refused once a vehicle takes no setpoints for longer than it changes its tracker`()
        async throws
    {
        let bench = try await JoystickBench()
        bench.presenter?.look()
        _ = try await bench.link.perform(.emergencyHover, within: .seconds(1))
        await bench.timeSource.fake.run(for: .milliseconds(20))
        bench.send(.toggleControl)
        #expect(bench.state == "WAITING" && bench.link.setpoints.isEmpty)
        #expect(bench.view.shown.pending.hasPrefix("control engages by itself once the vehicle takes setpoints; "))
        // What lasts longer is no change of trackers.
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.stage.notices.last?.text.hasPrefix("uav1: the vehicle takes no setpoints: ") == true)
        await bench.end()
    }

    @Test func `a screen that is opened later knows at once that no setpoints are taken`() async throws {
        let bench = try await JoystickBench()
        _ = try await bench.link.perform(.emergencyHover, within: .seconds(1))
        await bench.timeSource.fake.run(for: .seconds(1))
        bench.instance.detach()
        let view = FakeJoystickView()
        var presenter: JoystickPresenter?
        let opened = JoystickBuilder(
            .init(
                fleet: bench.fleet, settings: JoystickSettings(), store: JoystickStore(),
                keyboardReportsReleases: { true }, makeGamepads: { FakeGamepads() }, timeSource: bench.timeSource)
        ).build(on: bench.stage) { made in
            presenter = made
            return view
        }
        presenter?.look()
        #expect(view.shown.advice.hasPrefix("the vehicle takes no setpoints: ") && !view.shown.takesControl)
        presenter?.handle(.toggleControl)
        #expect(view.shown.control.text == "RELEASED")
        #expect(bench.stage.notices.last?.text.hasPrefix("uav1: the vehicle takes no setpoints: ") == true)
        opened.detach()
        await bench.end()
    }

    @Test func `of an armed vehicle everything is said that is missing to fly`() async throws {
        let bench = try await JoystickBench(flying: false)
        _ = try await bench.link.perform(.arm(true), within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.flight == "armed" })
        bench.send(.toggleControl)
        #expect(bench.view.shown.advice == "the vehicle is armed: no output, no offboard, no take-off")
        _ = try await bench.link.perform(.enableOutput(true), within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.advice == "the vehicle is armed: no offboard, no take-off" })
        await bench.end()
    }

    @Test func `on the ground the request waits for the flight and for the sticks, and Enter cancels it`() async throws
    {
        let bench = try await JoystickBench(flying: false)
        bench.send(.press(JoystickBench.forward), .toggleControl)
        #expect(
            bench.view.shown.pending
                == "control engages by itself once the vehicle flies and the sticks are centred; Enter cancels")
        bench.send(.toggleControl)
        #expect(bench.state == "RELEASED" && bench.view.shown.pending.isEmpty)
        await bench.end()
    }

    @Test func `while another pilot has control nothing promises that control engages, and that pilot is named`()
        async throws
    {
        let bench = try await JoystickBench(flying: false)
        bench.presenter?.look()
        bench.link.setVehicleSilent(true)
        var telemetry = bench.link.vehicle.telemetry(name: "uav1", now: bench.timeSource.fake.now)
        let pilot = ControlStatus.Pilot(name: "anna", since: bench.timeSource.fake.now, isYou: false)
        telemetry.control = Sample(ControlStatus(pilot: pilot), at: bench.timeSource.fake.now)
        bench.link.publish(telemetry)
        bench.presenter?.look()
        #expect(bench.view.shown.advice == "anna has control; F12 takes over, then t takes off")
        bench.send(.toggleControl)
        #expect(bench.state == "WAITING")
        #expect(bench.view.shown.advice.hasPrefix("anna has control; the vehicle is disarmed"))
        #expect(
            bench.view.shown.pending
                == "control does not engage while anna has it: F12 takes over; Enter cancels")
        telemetry.control = Sample(ControlStatus(), at: bench.timeSource.fake.now)
        bench.link.publish(telemetry)
        bench.presenter?.look()
        #expect(bench.view.shown.pending == "control engages by itself once the vehicle flies; Enter cancels")
        await bench.end()
    }

    @Test func `with a game controller its button cancels too`() async throws {
        let bench = try await JoystickBench(flying: false, source: .controller)
        bench.presenter?.look()
        bench.send(.toggleControl)
        #expect(bench.state == "WAITING")
        #expect(bench.view.shown.pending == "control engages by itself once the vehicle flies; Enter or Start cancels")
        bench.gamepads.press(.start)
        bench.presenter?.look()
        #expect(bench.state == "RELEASED")
        await bench.end()
    }

    @Test
    func `the fleet knows which vehicle is steered from engaging until steering ends, not until the hover is answered`()
        async throws
    {
        let bench = try await JoystickBench()
        bench.send(.press(JoystickBench.forward), .toggleControl)
        #expect(bench.state == "WAITING" && bench.fleet.steeredID == nil)
        bench.send(.release(JoystickBench.forward))
        #expect(bench.fleet.steeredID == bench.fleet.selectedID && bench.fleet.steeredID != nil)
        bench.send(.toggleControl)
        #expect(bench.state == "STOPPING" && bench.fleet.steeredID == nil)
        #expect(await bench.wait(for: "RELEASED"))
        bench.send(.toggleControl)
        #expect(bench.fleet.steeredID != nil)
        bench.instance.detach()
        #expect(bench.fleet.steeredID == nil)
        await bench.end()
    }
}
