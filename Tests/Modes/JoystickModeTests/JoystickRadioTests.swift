import FlightControl
import ModeKit
@testable import JoystickMode
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

/// A vehicle that a pilot flies by radio: its flight stack says no more than that it is armed.
extension JoystickTests {
    private func report(
        _ bench: JoystickBench, _ state: FlightState = .armed, isOffboard: Bool = false, height: Double?
    ) {
        bench.link.setVehicleSilent(true)
        let now = bench.timeSource.fake.now
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: true, isOffboard: isOffboard, isOutputEnabled: false, isFlyingNormally: false),
            at: now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: now) }
        bench.link.publish(telemetry)
        bench.presenter?.look()
    }

    @Test(arguments: [false, true])
    func `of one that is flown by radio the screen says so, and offers nothing that takes or disarms it`(
        isOffboard: Bool
    ) async throws {
        let bench = try await JoystickBench(flying: false)
        report(bench, isOffboard: isOffboard, height: 4)
        let shown = bench.view.shown
        #expect(shown.isFlownByRadio && shown.vehicle == "uav1 flown by radio")
        #expect(shown.advice == "the vehicle is flown by radio: land it by radio")
        #expect(!shown.hasTakeOff && !shown.hasDisarming && !shown.hasLanding && !shown.canHover)
        let actions = JoystickKeyHelp(shown).keys.map(\.action)
        #expect(!actions.contains { ["take off", "land", "disarm on the ground", "take control"].contains($0) })
        for intent in [JoystickIntent.takeOff, .disarm] {
            bench.send(intent)
            #expect(bench.view.shown.question == nil)
            #expect(bench.stage.notices.last?.text == "uav1 is flown by radio: land it by radio")
        }
        bench.send(.toggleControl)
        #expect(bench.state == "WAITING" && bench.view.shown.advice.contains("the vehicle is flown by radio"))
        #expect(bench.link.commands == [] && bench.link.setpoints == [])
        // On the ground it is as any other.
        bench.send(.toggleControl)
        report(bench, height: 0.1)
        #expect(bench.view.shown.vehicle == "uav1 armed" && !bench.view.shown.isFlownByRadio)
        #expect(bench.view.shown.hasTakeOff && bench.view.shown.hasDisarming)
        await bench.end()
    }

    @Test func `of one that may be flown by radio it says that, and neither takes it off nor disarms it`() async throws
    {
        let bench = try await JoystickBench(flying: false)
        report(bench, height: nil)
        #expect(bench.view.shown.advice.contains("may be flown by radio"))
        #expect(!bench.view.shown.hasTakeOff && !bench.view.shown.hasDisarming)
        bench.send(.disarm)
        #expect(bench.view.shown.question == nil && bench.link.commands == [])
        await bench.end()
    }

    @Test(arguments: [false, true])
    func `steering ends when the radio takes the vehicle, with that reason and without a stop`(isOffboard: Bool)
        async throws
    {
        let bench = try await JoystickBench()
        #expect(await bench.flyForward())
        report(bench, isOffboard: isOffboard, height: 4)
        #expect(await bench.wait(for: "RELEASED"))
        #expect(bench.view.shown.lastStop?.text.hasPrefix("steering ended: the vehicle is flown by radio") == true)
        #expect(bench.hovers == 0)
        await bench.end()
    }
}
