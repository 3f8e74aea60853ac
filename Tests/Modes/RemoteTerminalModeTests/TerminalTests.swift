import FlightControl
import ModeKit
import ModeTestKit
import RemoteTerminalMode
import Foundation
import TerminalEmulation
import Testing
import UAVLink
import UAVTestKit

/// The terminal's screen as a test sees it.
@MainActor
final class FakeTerminalView: TerminalView {
    var shown = TerminalScreenState()
    var frames = 0
    /// As the screen holds it.
    var presenter: TerminalPresenter?

    func show(_ state: TerminalScreenState) {
        shown = state
        frames += 1
    }

    var lines: [String] {
        let lines = shown.shell.picture.lines.map(\.text)
        return Array(lines[..<((lines.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    }
}

@MainActor
@Suite("Terminal")
struct TerminalTests {
    let stage = FakeStage()
    let timeSource = FakeTimeSource()
    let runner = FakeRunner()
    let view = FakeTerminalView()

    func build(
        _ shells: FakeShells, environment: [String: String] = [:],
        logs: SessionLogFile = SessionLogFile(folder: "/nowhere"),
        _ take: (TerminalPresenter) -> Void
    ) -> ModeInstance {
        var dependency = TerminalBuilder.Dependency(
            fleet: .withFake(FakeLink(), timeSource: timeSource), environment: environment, timeSource: timeSource)
        dependency.opener = shells.opener
        dependency.runner = runner
        dependency.logs = logs
        dependency.makeRecorder = { SessionRecorder(now: { 1_700_000_000.25 }) }
        return TerminalBuilder(dependency).build(on: stage) { presenter in
            take(presenter)
            return view
        }
    }

    /// Whether the shell is shown to be open, before long.
    func hasOpened(_ view: FakeTerminalView) async -> Bool {
        await timeSource.fake.run { view.shown.shell.connection == .open }
    }

    /// Frames are 33 ms apart; lets the one that is due be shown.
    func frame() async { await timeSource.beat(.milliseconds(40)) }

    @Test("keys go to the shell in their order, and what it writes is shown")
    func keysAndOutput() async throws {
        let shell = FakeShell()
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([shell])) { presenter = $0 }
        #expect(view.shown.shell.connection == .connecting)
        #expect(await hasOpened(view))
        let typed = (0..<500).map { Character(Unicode.Scalar(UInt8(0x61 + $0 % 26))) }
        for character in typed { presenter?.handle(.key(TerminalKey(.character(character)))) }
        presenter?.handle(.key(TerminalKey(.enter)))
        #expect(await becomesTrue { shell.written.count == 501 })
        #expect(shell.written == String(typed) + "\r")
        shell.write("user@uav1:~$ \u{1B}[31mred\u{1B}[0m")
        #expect(await becomesTrue { timeSource.pauses > 0 || view.lines == ["user@uav1:~$ red"] })
        await frame()
        #expect(await becomesTrue { view.lines == ["user@uav1:~$ red"] })
        instance.detach()
    }

    @Test("what the program asks is answered to it")
    func answers() async {
        let shell = FakeShell()
        let instance = build(FakeShells([shell])) { view.presenter = $0 }
        shell.write("ab\u{1B}[6n")
        #expect(await becomesTrue { shell.written == "\u{1B}[1;3R" })
        instance.detach()
    }

    @Test("a flood is shown a frame at a time")
    func flood() async {
        let shell = FakeShell()
        let instance = build(FakeShells([shell])) { view.presenter = $0 }
        #expect(await hasOpened(view))
        await frame()
        let before = view.frames
        for number in 0..<2000 { shell.write("line \(number)\r\n") }
        shell.write("the end")
        // All of it is in, though the clock stands still: one frame may have been due, no more.
        #expect(await becomesTrue { timeSource.pauses > 0 })
        await settle()
        #expect(view.frames - before <= 1)
        #expect(
            await timeSource.fake.run { view.lines.last == "the end" })
        #expect(view.frames - before < 100)
        instance.detach()
    }

    @Test("after Ctrl-C the rest of a flood is left out, and the prompt is there")
    func interruptedFlood() async {
        let shell = FakeShell()
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([shell])) { presenter = $0 }
        #expect(await hasOpened(view))
        presenter?.handle(.key(TerminalKey(.character("c"), .control)))
        #expect(await becomesTrue { shell.written == "\u{3}" })
        shell.write(Array(repeating: Array("y\r\n".utf8), count: 300_000).flatMap(\.self) + Array("^C\r\n$ ".utf8))
        #expect(
            await timeSource.fake.run { view.lines.last == "$" })
        #expect(view.shown.shell.picture.firstLine < 2000)
        // What comes after it in small pieces is whole.
        shell.write("\r\n" + String(repeating: "x", count: 40))
        #expect(
            await timeSource.fake.run { view.lines.last == String(repeating: "x", count: 40) })
        instance.detach()
    }

    @Test("of many sizes in a row the shell gets the last")
    func resizing() async {
        let shell = FakeShell()
        let shells = FakeShells([shell])
        var presenter: TerminalPresenter?
        let instance = build(shells) { presenter = $0 }
        #expect(await hasOpened(view))
        for columns in 81...99 { presenter?.handle(.resize(TerminalSize(rows: 20, columns: columns))) }
        await frame()
        #expect(shells.openedSizes == [TerminalSize(rows: 18, columns: 80)])
        #expect(shell.sizes == [TerminalSize(rows: 20, columns: 99)])
        #expect(view.shown.shell.picture.lines.count == 20)
        instance.detach()
    }

    @Test("a lost connection says so, keeps what was there, and Enter opens another")
    func loss() async {
        let (first, second) = (FakeShell(), FakeShell())
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([first, second])) { presenter = $0 }
        first.write("before\u{1B}[?1000h")
        first.lose()
        #expect(
            await timeSource.fake.run { view.shown.shell.connection == .lost("the vehicle is gone") })
        presenter?.handle(.key(TerminalKey(.character("x"))))
        presenter?.handle(.key(TerminalKey(.enter)))
        second.write("after")
        #expect(
            await timeSource.fake.run { view.lines == ["before", "after"] })
        #expect(view.shown.shell.connection == .open)
        #expect(view.shown.shell.modes.mouse == .none)
        #expect(first.isClosed)
        #expect(second.written.isEmpty)
        second.end()
        #expect(
            await timeSource.fake.run { view.shown.shell.connection == .ended(ProgramEnding(status: 7)) })
        presenter?.handle(.key(TerminalKey(.enter)))
        #expect(
            await timeSource.fake.run { view.shown.shell.connection == .lost("no route to host") })
        instance.detach()
    }

    @Test("several lines are pasted at once only where the program knows what a paste is; else the user is asked")
    func pasting() async {
        let shell = FakeShell()
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([shell])) { presenter = $0 }
        #expect(await hasOpened(view))
        presenter?.handle(.paste("one"))
        #expect(await becomesTrue { shell.written == "one" })
        presenter?.handle(.paste("rm a\nrm b\n"))
        #expect(view.shown.shell.pasteLines == 3)
        presenter?.handle(.confirmPaste(false))
        #expect(view.shown.shell.pasteLines == nil)
        presenter?.handle(.paste("ls a\nls b"))
        presenter?.handle(.confirmPaste(true))
        #expect(await becomesTrue { shell.written == "onels a\rls b" })
        shell.write("\u{1B}[?2004h.")
        #expect(
            await timeSource.fake.run { view.lines == ["."] })
        presenter?.handle(.paste("x\ny"))
        #expect(view.shown.shell.pasteLines == nil)
        #expect(await becomesTrue { shell.written.hasSuffix("\u{1B}[200~x\ry\u{1B}[201~") })
        instance.detach()
    }

    @Test("older lines stay in view while new ones come; a key goes back to the newest; a search finds")
    func scrollback() async {
        let shell = FakeShell()
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([shell])) { presenter = $0 }
        shell.write((0..<100).map { "line \($0)\r\n" }.joined())
        #expect(
            await timeSource.fake.run { view.lines.last == "line 99" })
        presenter?.handle(.scrollPages(1))
        let top = view.lines.first
        #expect(view.shown.shell.picture.linesBelow == 17)
        shell.write("more\r\nmore\r\n")
        #expect(
            await timeSource.fake.run { view.shown.shell.picture.linesBelow == 19 })
        #expect(view.lines.first == top)
        presenter?.handle(.toggleSearch)
        presenter?.handle(.search("LINE 4"))
        #expect(view.shown.shell.search?.line == 49)
        #expect(view.lines.contains("line 49"))
        presenter?.handle(.searchNext(upwards: true))
        #expect(view.shown.shell.search?.line == 48)
        presenter?.handle(.search("no such"))
        #expect(view.shown.shell.search?.failed == true)
        presenter?.handle(.toggleSearch)
        #expect(view.shown.shell.search == nil)
        presenter?.handle(.key(TerminalKey(.character("x"))))
        #expect(view.shown.shell.picture.linesBelow == 0)
        instance.detach()
    }

    @Test("the simple form runs a line, shows both outputs and how it ended")
    func simpleForm() async {
        var presenter: TerminalPresenter?
        let instance = build(FakeShells([])) { presenter = $0 }
        presenter?.handle(.switchForm)
        #expect(view.shown.form == .simple)
        presenter?.handle(.run("ls"))
        #expect(await becomesTrue { runner.lines == ["ls"] })
        #expect(view.shown.simple.isRunning)
        runner.write("a\u{1B}[1mb\nhalf")
        runner.write("no such\n", isError: true)
        presenter?.handle(.run("second"))
        #expect(stage.notices.last?.text == "a command is running; press Ctrl-C to end it")
        presenter?.handle(.interrupt)
        #expect(await becomesTrue { runner.interrupts == 1 })
        timeSource.fake.advance(by: .milliseconds(1500))
        runner.end(.success(ProgramEnding(status: 130)))
        #expect(
            await timeSource.fake.run { !view.shown.simple.isRunning })
        let expected: [OutputLine] = [
            OutputLine(.command, "ls"), OutputLine(.output, "ab"), OutputLine(.output, "half"),
            OutputLine(.error, "no such"),
        ]
        #expect(Array(view.shown.simple.lines.prefix(4)) == expected)
        #expect(view.shown.simple.lines.last?.kind == .ending(isSuccess: false))
        #expect(view.shown.simple.lines.last?.text.hasPrefix("exit status 130 after 1.") == true)
        #expect(runner.lines == ["ls"])
        instance.detach()
    }

    @Test("a detached terminal is let go of, its tasks end and the shell is hung up")
    func release() async {
        weak var presenter: TerminalPresenter?
        weak var released: FakeTerminalView?
        let shell = FakeShell()
        do {
            let view = FakeTerminalView()
            released = view
            var dependency = TerminalBuilder.Dependency(
                fleet: .withFake(FakeLink(), timeSource: timeSource), environment: [:], timeSource: timeSource)
            dependency.opener = FakeShells([shell]).opener
            dependency.runner = runner
            let instance = TerminalBuilder(dependency).build(on: stage) {
                presenter = $0
                view.presenter = $0
                return view
            }
            #expect(await hasOpened(view))
            presenter?.handle(.run("sleep 100"))
            #expect(await becomesTrue { runner.lines.count == 1 })
            #expect(presenter != nil)
            instance.detach()
        }
        #expect(await becomesTrue { shell.isClosed && presenter == nil && released == nil })
        await settle()
        #expect(timeSource.pauses == 0)
        #expect(presenter == nil)
        #expect(released == nil)
    }
}
