import FlightControl
import ModeKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import Workspace

/// A landing of all vehicles, and their return home: to which of them it is sent, and what is said of the others.
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

    @Test func `it is sent to all, and that one which stands refuses it is no failure`() async throws {
        let flying = try await add("a", flying: true)
        let silent = try await add("b", flying: false)
        silent.setVehicleSilent(true)
        await time.run(for: .seconds(3))
        let standing = try await add("c", flying: false)
        standing.always(.reply(CommandReply(accepted: false, message: "on the ground")))
        await time.run(for: .milliseconds(100))
        let workspace = land()
        #expect(await says("a:uav1: landing done"))
        #expect(await says("c:uav1: landing not needed: it stands on the ground with its motors off"))
        #expect([flying, silent, standing].allSatisfy { $0.commands == [.land] })
        await workspace.presenter.finish()
    }

    @Test func `of the only one a refusal stays one`() async throws {
        let standing = try await add("a", flying: false)
        standing.always(.reply(CommandReply(accepted: false, message: "on the ground")))
        await time.run(for: .milliseconds(100))
        let workspace = land()
        #expect(await says("refused land"))
        await workspace.presenter.finish()
    }

    @Test func `those fly home that the question has named, whatever telemetry shows since`() async throws {
        let flying = try await add("a", flying: true)
        let standing = try await add("b", flying: false)
        await time.run(for: .milliseconds(100))
        frame.fleet.commandsAll = true
        let workspace = frame.build()
        workspace.stage.open(.menu)
        workspace.presenter.handle(.fly(.landHome))
        #expect(frame.view.shown.confirmation?.title == "Return home with a:uav1, and land?")
        standing.setVehicleSilent(true)
        await time.run(for: .seconds(3))
        workspace.presenter.handle(.confirm)
        #expect(await time.run { flying.commands == [.landHome] })
        #expect(standing.commands.isEmpty)
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
