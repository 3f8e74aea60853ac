import Modules
import Testing
import TextScreen
import UAVLink

@testable import TextFrontEnd

@MainActor
@Suite("Program loop")
struct FrontEndTests {
    private let terminal = FakeTerminal()

    private func frontEnd() -> FrontEnd {
        let fleet = Fleet()
        return FrontEnd(
            terminal: terminal,
            settings: .init(environment: ["TERM": "xterm-256color"], fleet: fleet, firstMode: .menu) { mode, stage in
                MenuBuilder(.init(fleet: fleet, modes: [.joystick])).build(on: stage) { presenter in
                    MenuScreen { presenter.handle($0) }
                }
            })
    }

    @Test("it takes the terminal, draws, obeys a key, and gives the terminal back")
    func life() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await terminal.waits(for: "What do you want to do?"))
        terminal.input.yield(.key(.typed("?")))
        #expect(await terminal.waits(for: "paint the screen anew"))
        terminal.input.yield(.key(.typed("x")))
        terminal.input.yield(.key(KeyEvent(.function(10))))
        try await run.value
        #expect(terminal.log == ["enter", "leave"])
    }

    @Test("cancelling it gives the terminal back")
    func cancelled() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await terminal.waits(for: "uavlink"))
        run.cancel()
        try await run.value
        #expect(terminal.log == ["enter", "leave"])
    }

    @Test("Ctrl-Z suspends, and everything is painted anew after")
    func suspend() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await terminal.waits(for: "What do you want to do?"))
        terminal.wipe()
        terminal.input.yield(.key(KeyEvent(.character("z"), .control)))
        #expect(await terminal.waits(for: "What do you want to do?"))
        terminal.input.finish()
        try await run.value
        #expect(terminal.log == ["enter", "suspend", "leave"])
    }
}

@Suite("Terminal watch")
@MainActor
struct TerminalWatchTests {
    @Test("only a terminal that answered before can fall silent, and once")
    func silence() {
        var watch = TerminalWatch()
        let start = SystemPacemaker().clock.now
        var falls = watch.fallsSilent(at: start + .seconds(60))
        #expect(!falls)
        watch.answered(at: start)
        falls = watch.fallsSilent(at: start + .milliseconds(1400))
        #expect(!falls)
        falls = watch.fallsSilent(at: start + .milliseconds(1600))
        #expect(falls)
        falls = watch.fallsSilent(at: start + .milliseconds(1700))
        #expect(!falls)
        watch.answered(at: start + .seconds(2))
        #expect(!watch.isSilent)
        watch.restart()
        falls = watch.fallsSilent(at: start + .seconds(60))
        #expect(!falls)
    }
}
