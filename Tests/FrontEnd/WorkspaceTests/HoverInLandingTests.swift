import FlightControl
import Testing
import UAVLink
import UAVTestKit
import Workspace

/// A hover that is accepted during a landing.
extension FlightActionTests {
    private static let landsOn =
        "hexa:uav1: hover accepted, but it lands on: this flight stack ends no landing so low"

    private func landing() async throws -> (FakeLink, WorkspaceBuilder.Workspace) {
        var vehicle = FakeVehicle.flying
        _ = vehicle.handle(.altitude(metres: 20))
        for _ in 0..<100 { vehicle.step(seconds: 0.1) }
        let link = try await add(vehicle)
        let workspace = build()
        workspace.presenter.handle(.fly(.land))
        #expect(await timeSource.fake.run { link.latestTelemetry?.flight?.value.state == .landing })
        return (link, workspace)
    }

    @Test func `if the vehicle lands on, a warning says so, and the landing is waited for again`() async throws {
        let (_, workspace) = try await landing()
        workspace.presenter.handle(.hover)
        #expect(await timeSource.fake.run { view.shown.notice?.text.contains("hover accepted in") == true })
        // It is not known yet whether it does.
        #expect(view.shown.notice?.text.contains("ends the landing") == false)
        #expect(await timeSource.fake.run(within: .seconds(2)) { view.shown.notice?.text == Self.landsOn })
        #expect(view.shown.notice?.weight == .warning)
        workspace.presenter.refresh()
        #expect(view.shown.activity?.hasPrefix("landing") == true)
        #expect(await timeSource.fake.run { view.shown.notice?.text == "hexa:uav1: landing done" })
    }

    @Test func `if it hovers, or another command has begun, nothing is added`() async throws {
        let (link, workspace) = try await landing()
        workspace.presenter.handle(.hover)
        await settle()
        workspace.presenter.handle(.fly(.land))
        await timeSource.fake.run(for: .seconds(3))
        #expect(!view.shown.history.contains { $0.notice.text == Self.landsOn })
        workspace.presenter.handle(.hover)
        await settle()
        link.setVehicleSilent(true)
        link.publish(FakeVehicle.flying.telemetry(name: "uav1", now: timeSource.fake.now + .seconds(1)))
        await timeSource.fake.run(for: .seconds(3))
        #expect(!view.shown.history.contains { $0.notice.text == Self.landsOn })
    }
}
