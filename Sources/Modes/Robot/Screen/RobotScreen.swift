package import ModeKit
package import TextScreen
internal import UAVLink

/// The screen of the mode: four parts, of which one is shown.
@MainActor
package final class RobotScreen: RobotView, Screen {
    /// Called when there is something new to draw.
    package var needsFrame: (() -> Void)?
    private var state = RobotScreenState()
    private let send: (RobotIntent) -> Void
    /// The line of the console.
    private var line = TextField()
    private var area: ScreenArea?
    /// The prompt or the confirmation over it.
    private var dialog = DialogLayer()

    /// A screen; `send` receives the user's intents.
    package init(send: @escaping (RobotIntent) -> Void) { self.send = send }

    package func show(_ state: RobotScreenState) {
        guard state != self.state else { return }
        if state.sentLines != self.state.sentLines { line.set("") }
        let question = state.prompt.map {
            Question(
                id: AnyHashable($0.kind), title: $0.title, text: $0.text, about: $0.about, hint: $0.hint, note: $0.note)
        }
        dialog.show(question, state.confirmation)
        self.state = state
        needsFrame?()
    }

    /// The terminal gained or lost the focus.
    package func focusChanged(_ hasFocus: Bool) { if !hasFocus { send(.lostFocus) } }

    /// Whether letters are typed into a line.
    package var takesText: Bool { state.tab == .console || dialog.takesText }

    /// Whether a confirmation is open.
    package var isAsking: Bool { dialog.isAsking }

    /// What the open confirmation asks; `nil` without one.
    package var openQuestion: String? { dialog.openQuestion }

    package var keys: [KeyHelp] { dialog.help ?? RobotKeys.help(state) }

    /// Sets the area, for clicks, and for what does not fit in it.
    package func resize(to area: ScreenArea) {
        self.area = area
        dialog.resize(to: area)
    }

    /// What the connection's part does not show whole.
    package var details: [KeyHelp] { area.map { RobotDrawing.details(state, in: $0) } ?? [] }

    /// Handles a terminal event; `false` when it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        // A release counts under a question too: the key may have gone down before.
        if case .key(let key) = event, key.phase == .release { return handle(key) }
        if let outcome = dialog.handle(event) {
            let isTaken = outcome.pass(to: send) { needsFrame?() }
            // Whatever a question takes Space for, it stops too.
            if outcome == .decline, event.isSpace { send(.stop) }
            return isTaken
        }
        switch event {
        case .paste(let text):
            guard takesText else { return false }
            line.insert(text)
            needsFrame?()
            return true
        case .key(let key): return handle(key)
        default: return false
        }
    }

    private func handle(_ key: KeyEvent) -> Bool {
        if key.phase == .release {
            // A release counts on every part: the tab may have changed with the key down.
            guard let direction = RobotKeys.directions[key.key] else { return false }
            send(.release(direction))
            return true
        }
        if let intent = RobotKeys.common(key, state) {
            send(intent)
            return true
        }
        if state.tab == .console { return type(key) }
        guard let intent = RobotKeys.intent(key, state) else {
            if state.tab == .control { send(.otherKey) }
            return false
        }
        send(intent)
        return true
    }

    private func type(_ key: KeyEvent) -> Bool {
        switch (key.key, key.modifiers) {
        case (.enter, []):
            guard !line.text.isEmpty else { return true }
            send(.send(line.text))
        case (.up, []): send(.scroll(1))
        case (.down, []): send(.scroll(-1))
        case (.pageUp, []): send(.scroll(10))
        case (.pageDown, []): send(.scroll(-10))
        case (.character("x"), .control): send(.toggleHex)
        case (.character("s"), .control): send(.save)
        default: guard line.handle(key) else { return false }
        }
        needsFrame?()
        return true
    }

    /// Draws the current state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let (head, body) = area.split(top: 2)
        RobotDrawing.drawHead(state, on: &canvas, in: head)
        if let obstacle = state.obstacle {
            canvas.writeParagraph(obstacle, in: body.inset(top: 1, left: 1, right: 1), Style(.tone(.warning)))
            return
        }
        switch state.tab {
        case .connection: RobotDrawing.drawConnection(state, on: &canvas, in: body)
        case .tasks: RobotDrawing.drawTasks(state, on: &canvas, in: body)
        case .control: RobotDrawing.drawControl(state, on: &canvas, in: body)
        case .console: RobotDrawing.drawConsole(state, line, on: &canvas, in: body)
        }
        dialog.draw(on: &canvas, in: area)
    }
}
