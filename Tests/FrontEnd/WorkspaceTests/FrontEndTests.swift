import ModeKit
@testable import FlightControl
@testable import MenuMode
@testable import Workspace
import Testing
import TextScreen
import Threads
import UAVLink
import UAVTestKit

@MainActor
@Suite("Program loop", .timeLimit(.minutes(1)))
struct FrontEndTests {
    private let terminal = FakeTerminal()
    private let timeSource = FakeTimeSource()

    /// Lets frames be drawn, and waits for the thread that brings them to the terminal.
    private func shows(_ text: String) async -> Bool {
        await timeSource.fake.run(for: .milliseconds(200))
        return await terminal.shows(text)
    }

    private func frontEnd(
        startThread: @escaping ScreenWriter.StartThread = DedicatedThread.start,
        onIntent: @escaping @MainActor (Fleet) -> Void = { _ in }
    ) -> FrontEnd {
        let (fleet, timeSource) = (Fleet(timeSource: timeSource), timeSource)
        return FrontEnd(
            terminal: terminal, startThread: startThread,
            settings: .init(
                appearance: Appearance(depth: .indexed), timeSource: timeSource, fleet: fleet, firstMode: .menu
            ) { mode, stage in
                MenuBuilder(.init(fleet: fleet, modes: [.joystick])).build(on: stage) {
                    presenter in
                    MenuScreen { intent in
                        onIntent(fleet)
                        presenter.handle(intent)
                    }
                }
            })
    }

    @Test("it takes the terminal, draws, obeys a key, and gives the terminal back")
    func life() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        terminal.input.yield(.key(.typed("?")))
        #expect(await shows("Esc closes"))
        terminal.input.yield(.key(.typed("?")))
        terminal.input.yield(.key(KeyEvent(.function(10))))
        try await timeSource.fake.run(through: { try await run.value })
        #expect(terminal.log == ["enter", "leave"])
    }

    @Test("while a key is handled it is known when its bytes were read")
    func readAt() async throws {
        let seen = SeenInput()
        let frontEnd = frontEnd(onIntent: { fleet in
            seen.fleet = fleet
            seen.readAt.append(fleet.inputReadAt)
        })
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        let typedAt = timeSource.clock.now
        terminal.input.yield(.key(KeyEvent(.down)))
        await timeSource.fake.run(for: .milliseconds(200))
        #expect(seen.readAt == [typedAt])
        #expect(seen.fleet?.inputReadAt == nil)
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
    }

    @Test("cancelling it gives the terminal back")
    func cancelled() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await shows("uavlink"))
        run.cancel()
        try await timeSource.fake.run(through: { try await run.value })
        #expect(terminal.log == ["enter", "leave"])
    }

    @Test("F7 overtakes what was typed before it, which is dropped, and says so")
    func stopFirst() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        terminal.input.yield(.key(.typed("?")), .key(.typed("x")), .key(.typed("y")), .key(KeyEvent(.function(7))))
        #expect(await shows("2 keys typed before and not yet handled: dropped"))
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
        #expect(terminal.log == ["enter", "leave"])
    }

    @Test("what still waits when the terminal is closed is dropped, and the program ends")
    func closed() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        for _ in 0..<100 { terminal.input.yield(.key(KeyEvent(.character("z"), .control))) }
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
        // The first one was handled before the end.
        #expect(terminal.log == ["enter", "suspend", "leave"])
    }

    @Test("the keys that stop are recognised in every form")
    func stopKeys() {
        let stops = StopKeys(further: ["hover": KeyEvent(.character("o"), .control), "quit": KeyEvent(.insert)])
        for key in [
            KeyEvent(.function(7)), KeyEvent(.function(8)), KeyEvent(.function(7), phase: .repeating),
            KeyEvent(.character("7"), .alt), KeyEvent(.character("o"), .control),
        ] {
            #expect(stops.contains(key), "\(key)")
        }
        for key in [
            KeyEvent(.function(7), phase: .release), KeyEvent(.function(7), .shift), KeyEvent(.function(6)),
            KeyEvent(.insert), KeyEvent.typed("7"), KeyEvent.typed(" "), KeyEvent(.character("9"), .alt),
        ] {
            #expect(!stops.contains(key), "\(key)")
        }
    }

    @Test("Ctrl-Z suspends, and everything is painted anew after")
    func suspend() async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        terminal.wipe()
        terminal.input.yield(.key(KeyEvent(.character("z"), .control)))
        #expect(await shows("What do you want to do?"))
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
        #expect(terminal.log == ["enter", "suspend", "leave"])
    }

    @Test(
        "what asks for a whole frame gets one, and those after it bring what differs",
        arguments: [
            InputEvent.key(KeyEvent(.character("l"), .control)), .key(KeyEvent(.character("z"), .control)),
            .resize(ScreenSize(rows: 24, columns: 80)),
        ])
    func paintsAnewOnce(_ event: InputEvent) async throws {
        let frontEnd = frontEnd()
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        terminal.wipe()
        terminal.input.yield(event)
        #expect(await shows("What do you want to do?"))
        #expect(terminal.erasures == 2)
        for _ in 0..<3 {
            terminal.input.yield(.key(.typed("?")))
            #expect(await shows("Esc closes"))
            terminal.input.yield(.key(.typed("?")))
            #expect(await shows("What do you want to do?"))
        }
        #expect(terminal.erasures == 2)
        terminal.input.finish()
        try await timeSource.fake.run(through: { try await run.value })
    }

    @Test("where no thread can be created for the screen it says so, and the terminal is as it was")
    func noThread() async throws {
        let frontEnd = frontEnd { _ in false }
        let failure = await #expect(throws: TerminalDevice.Failure.self) { try await frontEnd.run() }
        #expect(failure?.description == "cannot create a thread for the screen")
        #expect(terminal.log.isEmpty)
    }

    @Test("where no thread can be created for the keyboard it says so, and the terminal is as it was")
    func noReader() async throws {
        terminal.hasReader = false
        let frontEnd = frontEnd()
        let failure = await #expect(throws: TerminalDevice.Failure.self) { try await frontEnd.run() }
        #expect(failure?.description == "cannot create a thread for the keyboard")
        #expect(terminal.log == ["enter", "leave"])
    }
}

/// What was known of the input while it was handled.
@MainActor
private final class SeenInput {
    var fleet: Fleet?
    var readAt: [MonotonicTime?] = []
}

@Suite("Terminal watch")
@MainActor
struct TerminalWatchTests {
    @Test("only a terminal that answered before can stop sending, and once")
    func silence() {
        var watch = TerminalWatch()
        let start = FakeClock().now
        var falls = watch.timesOut(at: start + .seconds(60))
        #expect(!falls)
        watch.answered(at: start)
        falls = watch.timesOut(at: start + .milliseconds(1400))
        #expect(!falls)
        falls = watch.timesOut(at: start + .milliseconds(1600))
        #expect(falls)
        falls = watch.timesOut(at: start + .milliseconds(1700))
        #expect(!falls)
        watch.answered(at: start + .seconds(2))
        #expect(!watch.isSilent)
        watch.restart()
        falls = watch.timesOut(at: start + .seconds(60))
        #expect(!falls)
    }
}
