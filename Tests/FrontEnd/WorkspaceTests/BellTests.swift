@testable import FlightControl
@testable import MenuMode
@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("The terminal's bell", .timeLimit(.minutes(1)))
struct BellTests {
    @Test(arguments: [true, false]) func `a lost link rings it, unless it is switched off`(hasBell: Bool) async throws {
        let (terminal, timeSource) = (FakeTerminal(), FakeTimeSource())
        let fleet = Fleet(timeSource: timeSource)
        let link = FakeLink(clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let frontEnd = FrontEnd(
            terminal: terminal,
            settings: .init(
                appearance: Appearance(depth: .indexed), timeSource: timeSource, fleet: fleet, hasBell: hasBell,
                firstMode: .menu
            ) { _, stage in
                MenuBuilder(.init(fleet: fleet, modes: [.joystick])).build(on: stage) { presenter in
                    MenuScreen { presenter.handle($0) }
                }
            })
        let run = Task { try await frontEnd.run() }
        await timeSource.fake.run(for: .seconds(2))
        #expect(await terminal.shows("What do you want to do?"))
        #expect(terminal.bells == 0)
        var quality = link.quality
        quality.isConnected = false
        link.setQuality(quality)
        await timeSource.fake.run(for: .seconds(2))
        #expect(await terminal.shows("link lost"))
        #expect(terminal.bells == (hasBell ? 1 : 0))
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
    }
}
