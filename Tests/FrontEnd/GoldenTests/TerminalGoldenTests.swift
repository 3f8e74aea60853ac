@testable import RemoteTerminalMode
import TerminalEmulation
import Testing
import TextScreen

@MainActor
@Suite("Golden screens of the terminal")
struct TerminalGoldenTests {
    /// What an emulated terminal of the size that the screen has for it shows after these bytes.
    private func shell(_ size: GoldenSize, _ text: String) throws -> TerminalScreenState {
        let room = TerminalSize(rows: size.size.rows - 1, columns: size.size.columns)
        let emulator = try #require(TerminalEmulator(room))
        emulator.feed(text.replacing("^", with: "\u{1B}").utf8)
        var state = TerminalScreenState()
        state.place = "mrs@192.168.69.101"
        state.shell.connection = .open
        state.shell.picture = emulator.picture()
        state.shell.modes = emulator.modes
        return state
    }

    private func screen(_ state: TerminalScreenState) -> TerminalScreen {
        let screen = TerminalScreen { _ in }
        screen.show(state)
        return screen
    }

    private let prompt = "^]0;mrs@uav1: ~^\\^[1;32mmrs@uav1^[0m:^[1;34m~^[0m$ "

    @Test("a shell with a prompt and colours", arguments: GoldenSize.allCases)
    func prompt(_ size: GoldenSize) throws {
        let state = try shell(
            size,
            prompt + "ls\r\n^[1;34mbag_files^[0m  notes-č.txt  日本.txt  ^[1;32mstart.sh^[0m\r\n" + prompt
                + "rostopic hz /uav1/odometry/odom_main\r\naverage rate: 100.02\r\n^C" + prompt)
        try Golden.check(screen(state), "terminal-shell", size)
    }

    @Test("a full-screen program", arguments: GoldenSize.allCases)
    func fullScreen(_ size: GoldenSize) throws {
        let rows = size.size.rows - 1
        let tildes = (4..<rows - 1).map { "^[\($0);1H^[94m~^[0m" }.joined()
        let state = try shell(
            size,
            prompt + "vim world.yaml^[?1049h^[?1h^[1;1Hworld_origin:^[2;3Hunits: ^[33m\"LATLON\"^[0m" + tildes
                + "^[\(rows - 1);1H^[7mworld.yaml" + String(repeating: " ", count: size.size.columns - 10)
                + "^[0m^[\(rows);1H-- INSERT --^[2;9H")
        #expect(state.shell.modes.usesAlternateScreen)
        try Golden.check(screen(state), "terminal-vim", size)
    }

    @Test("the simple form", arguments: GoldenSize.allCases)
    func simple(_ size: GoldenSize) throws {
        var state = TerminalScreenState()
        state.form = .simple
        state.place = "mrs@192.168.69.101"
        state.simple.field = .init(number: 1, text: "rosnode list | grep control")
        state.simple.lines = [
            OutputLine(.command, "uptime"),
            OutputLine(.output, " 12:00:01 up  2:10,  1 user,  load average: 1.20, 0.90, 0.70"),
            OutputLine(.ending(isSuccess: true), "exit status 0 after 0.1 s"),
            OutputLine(.command, "cat missing"),
            OutputLine(.error, "cat: missing: No such file or directory"),
            OutputLine(.ending(isSuccess: false), "exit status 1 after 0.1 s"),
            OutputLine(.command, "rostopic list"),
        ]
        state.simple.lines += (1...12).map { OutputLine(.output, "/uav1/topic_\($0)") }
        state.simple.lines.append(OutputLine(.output, String(repeating: "a long line ", count: 12)))
        state.simple.isRunning = true
        try Golden.check(screen(state), "terminal-simple", size)
    }

    @Test("a lost connection", arguments: GoldenSize.allCases)
    func lost(_ size: GoldenSize) throws {
        var state = try shell(size, prompt + "roslaunch uav_core core.launch\r\nstarted\r\n")
        state.shell.connection = .lost(
            "the SSH connection to 192.168.69.101 was lost (no answer for 10 s); check the network and the vehicle's power"
        )
        try Golden.check(screen(state), "terminal-lost", size)
    }

    @Test("a search in what has scrolled by", arguments: GoldenSize.allCases)
    func search(_ size: GoldenSize) throws {
        var state = try shell(size, (1...9).map { "[ INFO] node \($0) started\r\n" }.joined())
        var search = ScrollbackSearch()
        search.text = "node 7"
        search.line = 6
        state.shell.search = search
        let screen = screen(state)
        screen.show(state)
        try Golden.check(screen, "terminal-search", size)
    }
}

@MainActor
@Suite("Keys and mouse of the terminal's screen")
struct TerminalScreenTests {
    /// A screen of 24 lines at row 2 of the terminal, and what it sends.
    private final class Desk {
        var sent: [TerminalIntent] = []
        var screen: TerminalScreen?
        var state = TerminalScreenState()
        /// What was drawn at first.
        var lines: [String] = []

        @MainActor
        init(_ change: (inout TerminalScreenState) -> Void = { _ in }) {
            state.shell.connection = .open
            change(&state)
            let screen = TerminalScreen { [weak self] in self?.sent.append($0) }
            screen.show(state)
            var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
            Golden.draw(screen, on: &canvas, in: ScreenArea(row: 2, column: 0, rows: 20, columns: 80))
            lines = canvas.lines
            self.screen = screen
            sent = []
        }

        @MainActor
        func press(_ key: KeyEvent.Key, _ modifiers: KeyEvent.Modifiers = []) -> Bool {
            screen?.handle(.key(KeyEvent(key, modifiers))) ?? false
        }

        @MainActor
        func type(_ text: String) { for character in text { _ = screen?.handle(.key(.typed(character))) } }
    }

    @Test("everything goes to the shell but F2, F3, F4, F9 and Shift with the page keys")
    func shellKeys() {
        let desk = Desk()
        desk.type("aČ")
        _ = desk.press(.escape)
        _ = desk.press(.character("c"), .control)
        _ = desk.press(.function(11))
        _ = desk.press(.pageUp)
        #expect(
            desk.sent == [
                .key(TerminalKey(.character("a"))), .key(TerminalKey(.character("Č"))), .key(TerminalKey(.escape)),
                .key(TerminalKey(.character("c"), .control)), .key(TerminalKey(.function(11))),
                .key(TerminalKey(.pageUp)),
            ])
        desk.sent = []
        _ = desk.press(.function(2))
        _ = desk.press(.function(3))
        _ = desk.press(.function(4))
        _ = desk.press(.function(9))
        _ = desk.press(.pageUp, .shift)
        #expect(desk.sent == [.switchForm, .toggleSearch, .saveLog, .leave, .scrollPages(1)])
        #expect(desk.screen?.takesText == true)
        // Keys that come up, and Shift alone, mean nothing.
        desk.sent = []
        _ = desk.screen?.handle(.key(KeyEvent(.character("a"), phase: .release)))
        _ = desk.press(.other(57441), .shift)
        #expect(desk.sent.isEmpty)
    }

    @Test("the area's size is reported once, less the bar")
    func size() {
        var sent: [TerminalIntent] = []
        let screen = TerminalScreen { sent.append($0) }
        for rows in [20, 20, 19] {
            var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
            Golden.draw(screen, on: &canvas, in: ScreenArea(row: 2, column: 0, rows: rows, columns: 80))
        }
        #expect(
            sent == [.resize(TerminalSize(rows: 19, columns: 80)), .resize(TerminalSize(rows: 18, columns: 80))])
    }

    @Test("only y pastes, and nothing reaches the shell while the question stands")
    func pasteQuestion() {
        let desk = Desk { $0.shell.pasteLines = 2 }
        _ = desk.press(.enter)
        desk.type("x")
        #expect(desk.sent.isEmpty)
        desk.type("y")
        _ = desk.press(.escape)
        #expect(desk.sent == [.confirmPaste(true), .confirmPaste(false)])
    }

    @Test func `a search without a text asks for one, and the question before a paste names both answers`() {
        let searching = Desk { $0.shell.search = ScrollbackSearch() }
        #expect(searching.lines.contains { $0.contains("type what to find") })
        let pasting = Desk { $0.shell.pasteLines = 2 }
        #expect(pasting.lines.contains { $0.contains("Paste 2 lines into the shell?") })
        #expect(pasting.lines.contains { $0.contains("y: paste   n or Esc: nothing is pasted") })
    }

    @Test("the mouse goes to who asked for it; else its wheel scrolls")
    func mouse() {
        let desk = Desk { $0.shell.modes.mouse = .clicks }
        _ = desk.screen?.handle(.mouse(MouseEvent(.press, row: 5, column: 7)))
        #expect(desk.sent == [.mouse(TerminalMouse(.press, row: 3, column: 7))])
        #expect(desk.screen?.handle(.mouse(MouseEvent(.press, row: 1, column: 7))) == false)
        let plain = Desk()
        _ = plain.screen?.handle(.mouse(MouseEvent(.wheelUp, row: 5, column: 7)))
        #expect(plain.screen?.handle(.mouse(MouseEvent(.press, row: 5, column: 7))) == false)
        #expect(plain.sent == [.scroll(3)])
        let pager = Desk { $0.shell.modes.usesAlternateScreen = true }
        _ = pager.screen?.handle(.mouse(MouseEvent(.wheelDown, row: 5, column: 7)))
        #expect(pager.sent == Array(repeating: .key(TerminalKey(.down)), count: 3))
    }

    @Test("the simple form: a line is typed, sent, recalled, searched")
    func simpleForm() {
        let desk = Desk { $0.form = .simple }
        desk.type("ls -l")
        _ = desk.press(.enter)
        _ = desk.press(.up)
        _ = desk.press(.character("r"), .control)
        _ = desk.press(.character("s"), .control)
        #expect(desk.sent == [.run("ls -l"), .history(-1, from: "ls -l"), .historySearch(""), .saveLog])
        desk.sent = []
        _ = desk.press(.character("c"), .control)
        _ = desk.press(.enter)
        #expect(desk.sent == [.run("")])
        desk.state.simple.isRunning = true
        desk.state.simple.search = HistorySearch()
        desk.screen?.show(desk.state)
        desk.sent = []
        desk.type("ro")
        _ = desk.press(.character("r"), .control)
        _ = desk.press(.enter)
        _ = desk.press(.escape)
        #expect(
            desk.sent == [
                .historySearch("r"), .historySearch("ro"), .historySearchOlder, .historySearchAccept,
                .historySearch(nil),
            ])
        desk.state.simple.search = nil
        desk.screen?.show(desk.state)
        desk.sent = []
        _ = desk.press(.character("c"), .control)
        _ = desk.press(.escape)
        #expect(desk.sent == [.interrupt, .leave])
    }

    @Test(
        "any area, however small, and any picture, however large",
        arguments: [(12, 40), (3, 5), (1, 1), (0, 0), (40, 120)])
    func areas(_ rows: Int, _ columns: Int) throws {
        let emulator = try #require(TerminalEmulator(TerminalSize(rows: 30, columns: 100)))
        emulator.feed(String(repeating: "日本語 text é ", count: 300).utf8)
        for form in [TerminalForm.shell, .simple] {
            for connection in [ShellConnection.open, .connecting, .lost("why"), .ended(ProgramEnding(status: 1))] {
                let desk = Desk { state in
                    state.form = form
                    state.shell.connection = connection
                    state.shell.picture = emulator.picture()
                    state.simple.lines = [OutputLine(.output, String(repeating: "日本", count: 100))]
                }
                var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
                if let screen = desk.screen { Golden.draw(screen, on: &canvas, in: canvas.area) }
                #expect(canvas.lines.allSatisfy { $0.cells <= columns })
            }
        }
    }
}
