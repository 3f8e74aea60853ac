import FlightControl
import ModeKit
import ModeTestKit
import RemoteTerminalMode
import TerminalEmulation
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("Shells that outlive their screen")
struct TerminalSessionsTests {
    private let timeSource = FakeTimeSource()
    private let view = FakeTerminalView()

    private func isOpen() async -> Bool { await timeSource.fake.run { view.shown.shell.connection == .open } }

    @Test("a shell stays open while other modes are, and ends when its vehicle is logged out of")
    func keepsShells() async throws {
        let fleet = Fleet.withFake(FakeLink(), timeSource: timeSource)
        let (first, second) = (FakeShell(), FakeShell())
        let sessions = TerminalSessions()
        fleet.onRemoval = { _ in sessions.keep(only: fleet.vehicles) }
        defer { fleet.onRemoval = nil }
        var dependency = TerminalBuilder.Dependency(
            fleet: fleet, environment: [:], sessions: sessions, timeSource: timeSource)
        dependency.opener = FakeShells([first, second]).opener
        dependency.runner = FakeRunner()
        let stage = FakeStage()
        func open() -> ModeInstance {
            TerminalBuilder(dependency).build(on: stage) {
                view.presenter = $0
                return view
            }
        }

        var instance = open()
        #expect(await isOpen())
        instance.detach()
        first.write("while away")
        await settle()
        #expect(fleet.selected.map(sessions.isInUse) == true)
        #expect(!first.isClosed)
        instance = open()
        #expect(await becomesTrue { view.lines == ["while away"] && view.shown.shell.connection == .open })
        instance.detach()
        let vehicle = try #require(fleet.selected)
        await fleet.removeAll()
        #expect(await becomesTrue { first.isClosed } && !sessions.isInUse(by: vehicle))
        // Without a vehicle it is a shell on this machine.
        instance = open()
        #expect(await isOpen())
        #expect(view.lines.isEmpty && !second.isClosed)
        instance.detach()
    }
}
