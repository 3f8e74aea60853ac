import FlightControl
import GameController
import JoystickMode
import ModeKit
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
