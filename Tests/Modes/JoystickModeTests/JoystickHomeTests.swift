import FlightControl
import JoystickMode
import ModeKit
import Testing
import UAVLink
import UAVTestKit

extension JoystickTests {
    @Test("where it stood last is marked while it flies, and nothing where that was not seen")
    func home() async throws {
        let bench = try await JoystickBench(flying: false)
        #expect(await bench.wait { bench.view.shown.map?.home != nil })
        bench.send(.takeOff, .answer(true))
        #expect(await bench.wait { bench.view.shown.underWay == nil })
        let away = Vector3(x: 6, y: -2, z: 3)
        _ = try await bench.link.perform(
            .goTo(.init(.frame(.current), position: away, headingRadians: 0)), within: .seconds(1))
        #expect(await bench.wait { bench.view.shown.map.map { ($0.position - away).length < 0.5 } == true })
        #expect(bench.view.shown.map?.home.map { $0.length < 0.1 } == true)
        await bench.end()

        let late = try await JoystickBench()
        #expect(await late.wait { late.view.shown.map != nil })
        #expect(late.view.shown.map?.home == nil)
        await late.end()
    }
}
