import FlightControl
import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import Workspace

/// A landing of all vehicles: to which of them it is sent, and what is said of the others.
@MainActor
@Suite struct AllVehicleLandingTests {
    private let frame = WorkspaceTests()
    private var time: FakeClock { frame.timeSource.fake }

    /// Adds a vehicle: one that flies, or one that stands with its motors off.
    private func add(_ name: String, flying: Bool) async throws -> FakeLink {
        let link = try await frame.connected(flying ? .flying : FakeVehicle())
        frame.fleet.add(profile: VehicleProfile(name: name), link: link)
        return link
    }

    private func land() -> WorkspaceBuilder.Workspace {
        frame.fleet.commandsAll = frame.fleet.vehicles.count > 1
        let workspace = frame.build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.fly(.land))
        return workspace
    }

    private func says(_ text: String) async -> Bool {
        await time.run { frame.view.shown.history.contains { $0.notice.text.contains(text) } }
    }

    @Test func `it is sent to those that fly and those of which nothing is known, and the others are named`()
        async throws
    {
        let flying = try await add("a", flying: true)
        let silent = try await add("b", flying: false)
        silent.setVehicleSilent(true)
        await time.run(for: .seconds(3))
        let standing = try await add("c", flying: false)
        let workspace = land()
        #expect(await says("a:uav1: landing done; not sent to c:uav1: on the ground with its motors off"))
        #expect(flying.commands == [.land] && silent.commands == [.land] && standing.commands.isEmpty)
        await workspace.presenter.finish()
    }

    @Test func `soon after another command, and where none is known to fly, it is sent to all`() async throws {
        let flying = try await add("a", flying: true)
        let standing = try await add("b", flying: false)
        await time.run(for: .milliseconds(100))
        frame.fleet.beginCommand()
        var workspace = land()
        #expect(await time.run { !standing.commands.isEmpty && !flying.commands.isEmpty })
        await workspace.presenter.finish()
        let others = [try await add("c", flying: false), try await add("d", flying: false)]
        await time.run(for: .seconds(20))
        workspace = land()
        #expect(await time.run { others.allSatisfy { $0.commands == [.land] } })
        await workspace.presenter.finish()
    }

    @Test func `of one that stood it is not said that it was landed`() async throws {
        let link = try await add("a", flying: false)
        link.always(.reply(CommandReply(accepted: true, message: "")))
        await time.run(for: .milliseconds(100))
        let workspace = land()
        #expect(await says("a:uav1: landing accepted; it stood on the ground with its motors off"))
        await workspace.presenter.finish()
    }
}
