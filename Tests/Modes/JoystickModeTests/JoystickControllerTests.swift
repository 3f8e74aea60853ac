import ModeKit
import FlightControl
import JoystickMode
import UAVLink
import UAVTestKit
import GameController
import Testing

/// Game controllers.
extension JoystickTests {
    @Test("unplugging stops, and plugging in again brings neither motion nor control")
    func unplugging() async throws {
        let bench = try await JoystickBench(source: .controller)
        bench.gamepads.change { $0.rightY = 0.5 }
        bench.send(.toggleControl)
        #expect(bench.view.shown.advice == "centre the sticks: forward")
        bench.gamepads.change { $0.rightY = 0.02 }
        #expect(await bench.wait(for: "ENGAGED"))
        bench.gamepads.change { $0.rightY = 1 }
        #expect(await bench.wait { bench.moves })
        bench.gamepads.set(.none)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.view.shown.lastStop?.text.hasPrefix("steering ended: the game controller was unplugged") == true)
        #expect(bench.hovers == 1)
        let sent = bench.link.setpoints.count
        var again = Gamepad(number: 2, name: "Pad")
        again.rightY = 1
        bench.gamepads.set(.plugged(again))
        for _ in 0..<20 { await bench.timeSource.beat(.milliseconds(50)) }
        #expect(bench.state == "RELEASED")
        #expect(bench.link.setpoints.count == sent)
        await bench.end()
        #expect(bench.gamepads.isClosed)
    }

    @Test("the same controller under another number, without a look in between, is another one")
    func swapped() async throws {
        let bench = try await JoystickBench(source: .controller)
        bench.send(.toggleControl)
        #expect(bench.state == "ENGAGED")
        bench.gamepads.set(.plugged(Gamepad(number: 2, name: "Pad")))
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.hovers == 1)
        await bench.end()
    }

    @Test("the controller's buttons: Start takes, B hovers, X asks before landing")
    func buttons() async throws {
        let bench = try await JoystickBench(source: .controller)
        await bench.timeSource.beat(.milliseconds(50))
        bench.gamepads.press(.start)
        #expect(await bench.wait(for: "ENGAGED"))
        bench.gamepads.change { $0.rightY = 1 }
        #expect(await bench.wait { bench.moves })
        bench.gamepads.press(.b)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.view.shown.lastStop?.text.hasPrefix("steering ended: the hover key") == true)
        bench.gamepads.press(.x)
        #expect(await bench.wait { bench.view.shown.question?.title == "Land uav1?" })
        bench.gamepads.press(.a)
        #expect(await bench.wait { bench.link.commands.contains(.land) })
        await bench.end()
    }

    @Test func `a question that a button opened names the buttons, and B on the ground declines without a hover`()
        async throws
    {
        let bench = try await JoystickBench(flying: false, source: .controller)
        await bench.timeSource.beat(.milliseconds(50))
        let buttons = LabeledValue("game controller", "A: yes, B: no")
        bench.gamepads.press(.y)
        #expect(await bench.wait { bench.view.shown.question?.facts == [buttons] })
        bench.gamepads.press(.b)
        #expect(await bench.wait { bench.view.shown.question == nil })
        await bench.timeSource.beat(.milliseconds(200))
        #expect(bench.link.commands == [])
        // One that a key opened does not.
        bench.send(.takeOff)
        #expect(bench.view.shown.question?.facts == [])
        bench.send(.answer(false))
        // B hovers where no question is open, whatever telemetry says.
        bench.gamepads.press(.b)
        #expect(await bench.wait { bench.hovers == 1 })
        await bench.end()
    }

    @Test func `while a take-off is under way B hovers, also from a question`() async throws {
        let bench = try await JoystickBench(flying: false, source: .controller)
        await bench.timeSource.beat(.milliseconds(50))
        bench.link.script(.silence)
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.link.commands == [.arm(true)] })
        bench.gamepads.press(.x)
        #expect(await bench.wait { bench.view.shown.question?.title == "Land uav1?" })
        bench.gamepads.press(.b)
        #expect(await bench.wait { bench.hovers == 1 })
        await bench.end()
    }

    @Test func `in the air B declines and hovers`() async throws {
        let bench = try await JoystickBench(source: .controller)
        await bench.timeSource.beat(.milliseconds(50))
        bench.gamepads.press(.x)
        let buttons = LabeledValue("game controller", "A: yes, B: no")
        #expect(await bench.wait { bench.view.shown.question?.facts == [buttons] })
        bench.gamepads.press(.b)
        #expect(await bench.wait { bench.hovers == 1 })
        #expect(bench.view.shown.question == nil)
        await bench.end()
    }

    @Test("with the keyboard chosen, a controller's buttons do nothing but B, which hovers")
    func buttonsOfTheOther() async throws {
        let bench = try await JoystickBench(source: .controller)
        bench.send(.changeSource)
        await bench.timeSource.beat(.milliseconds(50))
        for button in [GamepadButton.start, .y, .x, .rightShoulder, .back] { bench.gamepads.press(button) }
        for _ in 0..<4 { await bench.timeSource.beat(.milliseconds(50)) }
        #expect(bench.state == "RELEASED")
        #expect(bench.view.shown.question == nil)
        #expect(bench.view.shown.limits == .defaultLimits)
        #expect(await bench.flyForward())
        bench.gamepads.press(.b)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.hovers == 1)
        await bench.end()
    }
}
