import FlightControl
import ModeKit
import Testing
import UAVLink
import UAVTestKit
@testable import Workspace

/// Flight commands for a vehicle that a pilot flies by radio: its state is no more than armed.
extension FlightActionTests {
    private func byRadio(height: Double?, isOffboard: Bool = false) -> Telemetry {
        let now = timeSource.fake.now
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: .armed, isArmed: true, isOffboard: isOffboard, isOutputEnabled: false,
                isFlyingNormally: false), at: now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: now) }
        return telemetry
    }

    @Test(arguments: [false, true])
    func `a vehicle that is flown by radio is said to be, and neither taken, moved nor disarmed`(isOffboard: Bool)
        async throws
    {
        let link = try await add(FakeVehicle())
        link.setVehicleSilent(true)
        link.publish(byRadio(height: 4, isOffboard: isOffboard))
        let workspace = build()
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.state == "flown by radio" && view.shown.vehicle?.radio == .certain)
        let goal = GoalInput(reference: .frame(.current), position: Vector3(x: 1, y: 2, z: 3), headingRadians: 0)
        for action in [FlightAction.takeOff, .disarm, .landHome, .goTo(goal), .altitude(3), .heading(1)] {
            workspace.presenter.handle(.fly(action))
            #expect(view.shown.confirmation == nil, "\(action)")
            #expect(view.shown.notice?.text.hasSuffix("is flown by radio: land it by radio") == true, "\(action)")
        }
        await settle()
        #expect(link.asked.isEmpty)
        // The vehicle decides about a landing.
        workspace.presenter.handle(.fly(.land))
        #expect(await timeSource.fake.run { !link.asked.isEmpty })
        #expect(link.asked == [.command(.land)])
        // And who quits is told that it is in the air.
        workspace.presenter.handle(.quit)
        #expect(view.shown.confirmation?.text.contains("in the air") == true)
    }

    @Test func `one that may be flown by radio is neither taken off nor disarmed, and is looked at`() async throws {
        let link = try await add(FakeVehicle())
        link.setVehicleSilent(true)
        link.publish(byRadio(height: nil))
        let workspace = build()
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.state == "armed")
        for action in [FlightAction.takeOff, .disarm] {
            workspace.presenter.handle(.fly(action))
            #expect(view.shown.confirmation == nil)
            #expect(view.shown.notice?.text.contains("may be flown by radio") == true)
        }
        link.publish(byRadio(height: 0.1))
        workspace.presenter.handle(.fly(.disarm))
        #expect(view.shown.confirmation?.question == .fly(.disarm))
    }
}
