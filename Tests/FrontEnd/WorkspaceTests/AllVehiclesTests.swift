import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
import Workspace

/// With all vehicles commanded.
extension WorkspaceTests {
    private func two(_ vehicle: FakeVehicle) async throws -> (FakeLink, FakeLink, WorkspaceBuilder.Workspace) {
        let (first, second) = (try await connected(.flying), try await connected(vehicle))
        fleet.add(profile: VehicleProfile(name: "a"), link: first)
        fleet.add(profile: VehicleProfile(name: "b"), link: second)
        fleet.select(1)
        fleet.commandsAll = true
        #expect(await timeSource.fake.run { first.latestTelemetry?.flight?.value.state == .flying })
        return (first, second, build())
    }

    @Test func `a take-off names only the vehicles that would take off, and goes to no other`() async throws {
        let (flying, standing, workspace) = try await two(FakeVehicle())
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.othersTakeOff == true)
        workspace.presenter.handle(.fly(.takeOff))
        let question = try #require(view.shown.confirmation)
        #expect(question.title == "Arm the motors of b:uav1 and take off?")
        #expect(question.text.hasSuffix(" Not with a:uav1 (flying)."))
        workspace.presenter.handle(.confirm)
        #expect(await timeSource.fake.run { standing.commands.contains(.takeoff) })
        #expect(flying.commands.isEmpty)
    }

    @Test func `a refused hover is not hidden by another vehicle's answer`() async throws {
        let (first, _, workspace) = try await two(.flying)
        first.script(.reply(CommandReply(accepted: false, message: "no fuel")))
        workspace.presenter.handle(.hover)
        await settle()
        let notice = try #require(view.shown.notice)
        #expect(notice.weight == .error)
        #expect(notice.text.hasPrefix("a:uav1: hover refused: no fuel; b:uav1: hover accepted in "), "\(notice.text)")
    }

    @Test func `a refused landing is not hidden by another vehicle's`() async throws {
        let (first, _, workspace) = try await two(.flying)
        first.script(.reply(CommandReply(accepted: false, message: "no fuel")))
        workspace.presenter.handle(.fly(.land))
        #expect(await timeSource.fake.run { view.shown.notice?.text.contains("b:uav1: landing done") == true })
        let notice = try #require(view.shown.notice)
        #expect(notice.weight == .error)
        #expect(notice.text.hasPrefix("a:uav1: the vehicle refused land: no fuel; "), "\(notice.text)")
    }
}
