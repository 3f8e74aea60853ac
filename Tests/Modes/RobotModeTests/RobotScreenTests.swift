import ModeKit
import RobotMode
import Testing
import TextScreen
import UAVLink

@MainActor
@Suite("Robot screen") struct RobotScreenTests {
    private func lines(_ state: RobotScreenState, rows: Int = 16, columns: Int = 80) -> [String] {
        let screen = RobotScreen(send: { _ in })
        screen.show(state)
        return drawn(screen, rows: rows, columns: columns)
    }

    private func drawn(_ screen: RobotScreen, rows: Int = 16, columns: Int = 80) -> [String] {
        let size = ScreenSize(rows: rows, columns: columns)
        var canvas = Canvas(size)
        screen.draw(on: &canvas, in: ScreenArea(size))
        return canvas.lines
    }

    private var state: RobotScreenState {
        var state = RobotScreenState()
        (state.indicator, state.connection) = (.ready, "ready")
        state.tasks = RobotProgram.defaultTasks
        (state.active, state.currentTask) = (1, "Remote")
        state.keyTexts = [.f1: "w", .f2: "x", .f3: "y", .f4: "z"]
        (state.speed, state.direction, state.lastLine) = (128, .forward, "battery 87 %")
        return state
    }

    private func on(_ tab: RobotTab) -> RobotScreenState {
        var state = state
        state.tab = tab
        return state
    }

    @Test func `control shows task, direction, speed, functions and the last message`() {
        let text = lines(on(.control)).joined(separator: "\n")
        for part in ["Task      Remote", "forward", "128 of 255", "1: F1 \"w\"", "Robot     battery 87 %", "● ready"] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }

    @Test func `tasks are a list with the one that was started marked`() {
        let shown = lines(on(.tasks))
        #expect(shown.contains { $0.contains("▶ 1") && $0.contains("Remote") }, "\(shown)")
        #expect(shown.contains { $0.contains("4") && $0.contains("Avoid IR") })
    }

    @Test func `the console shows the newest lines, and what is typed`() {
        var state = on(.console)
        state.lines = (1...50).map { RobotConsoleLine(time: "\($0).00", kind: .received, text: "line \($0)") }
        let shown = lines(state).joined(separator: "\n")
        #expect(shown.contains("< line 50") && !shown.contains("line 1 ") && shown.contains("Text"), "\(shown)")
        state.scrolled = 49
        #expect(lines(state).joined(separator: "\n").contains("line 1 "))
    }

    @Test func `a line of the console that does not fit is continued below, also when the terminal is narrowed`() {
        var state = on(.console)
        let long = "range left 120 front 83 right 204 battery 87 percent heading 271"
        state.lines = (1...30).map { RobotConsoleLine(time: "\($0).00", kind: .received, text: "line \($0)") }
        state.lines += [RobotConsoleLine(time: "31.00", kind: .received, text: long)]
        let screen = RobotScreen(send: { _ in })
        screen.show(state)
        #expect(drawn(screen, columns: 100).contains { $0.contains("< \(long)") })
        let narrow = drawn(screen, columns: 40)
        let text = narrow.map { $0.filter { $0 != "│" }.split(separator: " ").joined(separator: " ") }
            .joined(separator: " ")
        #expect(text.contains("< range left") && text.contains("heading 271") && !text.contains("…"), "\(narrow)")
        #expect(text.contains("line 30"), "\(narrow)")
        // From the first line on where it is scrolled to the beginning.
        state.scrolled = 30
        #expect(lines(state, columns: 40).contains { $0.contains("< line 1 ") })
    }

    @Test(arguments: RobotTab.allCases, [(1, 1), (2, 5), (4, 20), (10, 40), (50, 200)])
    func `each part is drawn in any size`(_ tab: RobotTab, _ size: (rows: Int, columns: Int)) {
        var state = on(tab)
        state.facts = [KeyHelp("Address", "bluno:///dev/ttyACM0")]
        state.lines = [RobotConsoleLine(time: "0.00", kind: .sent, text: "f")]
        #expect(lines(state, rows: size.rows, columns: size.columns).count == size.rows)
    }

    private func intents(_ tab: RobotTab, _ events: [KeyEvent]) -> [RobotIntent] {
        var sent: [RobotIntent] = []
        let screen = RobotScreen(send: { sent.append($0) })
        screen.show(on(tab))
        for event in events { _ = screen.handle(.key(event)) }
        return sent
    }

    private func key(_ character: Character) -> KeyEvent { KeyEvent(.character(character), text: String(character)) }

    @Test func `the keys of control`() {
        let sent = intents(
            .control,
            [
                KeyEvent(.up), KeyEvent(.up, phase: .repeating), KeyEvent(.up, phase: .release), key("w"), key("1"),
                key("4"), key("5"), key("+"), key("-"), key("c"), key(" "), KeyEvent(.tab), KeyEvent(.escape),
            ])
        #expect(
            sent == [
                .press(.forward), .repeats(.forward), .release(.forward), .press(.forward), .function(.f1),
                .function(.f4), .otherKey, .speed(1), .speed(-1), .toggleController, .stop, .turn(1), .leave,
            ])
    }

    /// The frame names F7, F8, help and the palette in front of what a screen names.
    @Test(arguments: RobotTab.allCases) func `no key is named twice`(_ tab: RobotTab) {
        let screen = RobotScreen(send: { _ in })
        screen.show(on(tab))
        let named = screen.keys.map(\.keys)
        let frame = ["F7", "F8", "F1", "?", "F2", ":", "F12"]
        #expect(!named.isEmpty && Set(named + frame).count == named.count + frame.count, "\(named)")
    }

    @Test func `what needs a task or a board is named where there is one`() {
        func keys(_ state: RobotScreenState) -> [String] {
            let screen = RobotScreen(send: { _ in })
            screen.show(state)
            return screen.keys.map(\.keys)
        }
        #expect(keys(on(.tasks)).contains("Enter") && keys(on(.tasks)).contains("x"))
        var state = on(.tasks)
        state.tasks = []
        #expect(keys(state) == ["Space", "a", "R", "Tab", "Esc"])
        state.tab = .connection
        state.radio = RobotRadioView()
        #expect(!keys(state).contains("Enter"))
        state.radio?.boards = [KeyHelp("AA:BB:CC:DD:EE:FF", "Bluno")]
        #expect(keys(state).contains("Enter"))
    }

    @Test func `the keys of tasks`() {
        let sent = intents(
            .tasks,
            [KeyEvent(.down), KeyEvent(.enter), key("x"), key("J"), key("R"), key("a"), key(" ")])
        #expect(sent == [.moveSelection(1), .start, .delete, .moveTask(1), .restoreTasks, .askTask, .stop])
    }

    @Test func `a new task is typed in a prompt, which keeps a wrong line beside its error`() {
        var sent: [RobotIntent] = []
        let screen = RobotScreen(send: { sent.append($0) })
        var state = on(.tasks)
        state.prompt = Prompt(.task, title: "New task", hint: "Dance = 5")
        screen.show(state)
        #expect(screen.takesText)
        for character in "x 7" { #expect(screen.handle(.key(key(character)))) }
        #expect(screen.handle(.key(KeyEvent(.enter))))
        #expect(screen.handle(.key(KeyEvent(.up, phase: .release))))
        #expect(sent == [.answer("x 7"), .release(.forward)])
        state.prompt?.note = "'x 7' has no '='"
        screen.show(state)
        let text = drawn(screen).joined(separator: "\n")
        #expect(text.contains("x 7") && text.contains("has no '='"), "\(text)")
        #expect(screen.handle(.key(KeyEvent(.escape))))
        #expect(sent.last == .cancelPrompt)
    }

    @Test func `a question is answered with y or n, and Space stops besides`() {
        var sent: [RobotIntent] = []
        let screen = RobotScreen(send: { sent.append($0) })
        var state = on(.tasks)
        state.confirmation = ConfirmationRequest(title: "Delete this task?", facts: [], action: "delete it")
        screen.show(state)
        #expect(screen.isAsking && screen.openQuestion == "Delete this task?" && !screen.takesText)
        for event in [KeyEvent(.enter), key("x"), key("y"), key("n"), key(" ")] { _ = screen.handle(.key(event)) }
        #expect(sent == [.confirm, .decline, .decline, .stop])
    }

    @Test func `in the console letters are text, what was sent is cleared, and a release still counts`() {
        var sent: [RobotIntent] = []
        let screen = RobotScreen(send: { sent.append($0) })
        var state = on(.console)
        screen.show(state)
        for event in [key("f"), key(" "), key("1"), KeyEvent(.enter)] { _ = screen.handle(.key(event)) }
        // Not yet sent: it is there to be corrected.
        #expect(sent == [.send("f 1")] && drawn(screen).contains { $0.contains("f 1") })
        state.sentLines = 1
        screen.show(state)
        #expect(!drawn(screen).contains { $0.contains("f 1") })
        for event in [KeyEvent(.enter), KeyEvent(.up, phase: .release)] { _ = screen.handle(.key(event)) }
        #expect(sent == [.send("f 1"), .release(.forward)])
    }

    @Test func `the focus that is lost is told`() {
        var sent: [RobotIntent] = []
        let screen = RobotScreen(send: { sent.append($0) })
        screen.focusChanged(false)
        screen.focusChanged(true)
        #expect(sent == [.lostFocus])
    }
}
