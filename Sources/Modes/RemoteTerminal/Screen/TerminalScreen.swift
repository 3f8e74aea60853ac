package import ModeKit
internal import TerminalEmulation
package import TextScreen

/// The terminal: a shell in an emulated terminal, or an input line with its output; a bar below shows the form and its
/// keys.
@MainActor
package final class TerminalScreen: TerminalView, Screen {
    /// Called when there is something new to draw.
    package var needsFrame: (() -> Void)?
    private var state = TerminalScreenState()
    private let send: (TerminalIntent) -> Void
    /// The area of the shell or the simple form, without the bar.
    private var contentArea = ScreenArea(rows: 0, columns: 0)
    private var input = TextField()
    private var inputNumber = 0
    private var search = TextField()

    /// Creates a screen; `send` receives the user's intents.
    package init(send: @escaping (TerminalIntent) -> Void) { self.send = send }

    package func show(_ state: TerminalScreenState) {
        guard state != self.state else { return }
        if state.simple.field.number != inputNumber {
            inputNumber = state.simple.field.number
            input.set(state.simple.field.text)
        }
        if isSearching(self.state) != isSearching(state) { search.set("") }
        self.state = state
        needsFrame?()
    }

    /// Sets the area, and tells the Presenter the size of the shell.
    package func resize(to area: ScreenArea) {
        let (old, new) = (contentArea, Self.split(area).content)
        contentArea = new
        guard (old.rows, old.columns) != (new.rows, new.columns) else { return }
        send(.resize(TerminalSize(rows: new.rows, columns: new.columns)))
    }

    private static func split(_ area: ScreenArea) -> (content: ScreenArea, bar: ScreenArea) {
        let parts = area.split(top: area.rows - 1)
        return (parts.top, parts.rest)
    }

    private func isSearching(_ state: TerminalScreenState) -> Bool {
        state.form == .shell ? state.shell.search != nil : state.simple.search != nil
    }

    /// Whether letters are text here, not commands.
    package let takesText = true

    /// Whether several lines are to be pasted.
    package var openQuestion: String? {
        state.form == .shell ? state.shell.pasteLines.map { "paste \($0) lines?" } : nil
    }

    /// Whether that question takes all keys.
    package var isAsking: Bool { openQuestion != nil }

    /// The keys that act now, and their meaning.
    package var keys: [KeyHelp] { TerminalKeys(state: state).all }

    // MARK: Keys

    /// Handles an event; `false` if it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        switch event {
        case .key(let key): key.phase == .release ? false : handle(key)
        case .paste(let text): paste(text)
        case .mouse(let mouse): handle(mouse)
        case .focus, .resize, .kittyKeyboard, .deviceAttributes: false
        }
    }

    private func handle(_ key: KeyEvent) -> Bool {
        if state.form == .shell, state.shell.pasteLines != nil { return confirmPaste(key) }
        switch (key.key, key.modifiers) {
        case (.function(2), []): send(.switchForm)
        case (.function(4), []): send(.saveLog)
        case (.function(9), []): send(.leave)
        default: return state.form == .shell ? handleShell(key) : handleSimple(key)
        }
        return true
    }

    /// Only yes and no answer, so that further typing does not confirm by accident: Enter is not yes.
    private func confirmPaste(_ key: KeyEvent) -> Bool {
        switch key.key {
        case .character("y"): send(.confirmPaste(true))
        case .character("n"), .escape: send(.confirmPaste(false))
        default: break
        }
        return true
    }

    private func handleShell(_ key: KeyEvent) -> Bool {
        switch (key.key, key.modifiers) {
        case (.pageUp, .shift): send(.scrollPages(1))
        case (.pageDown, .shift): send(.scrollPages(-1))
        case (.function(3), []): send(state.shell.search == nil ? .toggleSearch : .searchNext(upwards: true))
        default:
            if state.shell.search != nil { return handleSearch(key) }
            guard let key = KeyTranslation.key(key) else { return false }
            send(.key(key))
        }
        return true
    }

    private func handleSearch(_ key: KeyEvent) -> Bool {
        switch (key.key, key.modifiers) {
        case (.escape, []): send(.toggleSearch)
        case (.enter, []), (.up, []): send(.searchNext(upwards: true))
        case (.down, []): send(.searchNext(upwards: false))
        default:
            let before = search.text
            guard search.handle(key) else { return true }
            if search.text != before { send(.search(search.text)) }
            needsFrame?()
        }
        return true
    }

    private func handleSimple(_ key: KeyEvent) -> Bool {
        if state.simple.search != nil { return handleHistorySearch(key) }
        switch (key.key, key.modifiers) {
        case (.escape, []): send(.leave)
        case (.enter, []): send(.run(input.text))
        case (.up, []), (.character("p"), .control): send(.history(-1, from: input.text))
        case (.down, []), (.character("n"), .control): send(.history(1, from: input.text))
        case (.character("r"), .control): send(.historySearch(""))
        case (.character("s"), .control): send(.saveLog)
        case (.character("c"), .control):
            if state.simple.isRunning { send(.interrupt) } else { input.set("") }
            needsFrame?()
        case (.pageUp, []), (.pageUp, .shift): send(.scrollPages(1))
        case (.pageDown, []), (.pageDown, .shift): send(.scrollPages(-1))
        default:
            // Unused Ctrl-keys are consumed too: they are meant for the input line, not for the surrounding screen.
            guard input.handle(key) else { return key.modifiers == .control }
            needsFrame?()
        }
        return true
    }

    private func handleHistorySearch(_ key: KeyEvent) -> Bool {
        switch (key.key, key.modifiers) {
        case (.escape, []), (.character("c"), .control), (.character("g"), .control): send(.historySearch(nil))
        case (.enter, []), (.right, []), (.tab, []): send(.historySearchAccept)
        case (.character("r"), .control), (.up, []): send(.historySearchOlder)
        default:
            let before = search.text
            if search.handle(key), search.text != before { send(.historySearch(search.text)) }
            needsFrame?()
        }
        return true
    }

    private func paste(_ text: String) -> Bool {
        if isSearching(state) {
            search.insert(text)
            send(state.form == .shell ? .search(search.text) : .historySearch(search.text))
        } else if state.form == .simple {
            input.insert(text)
        } else {
            send(.paste(text))
        }
        needsFrame?()
        return true
    }

    private func handle(_ mouse: MouseEvent) -> Bool {
        let isWheel = mouse.action == .wheelUp || mouse.action == .wheelDown
        let step = mouse.action == .wheelUp ? 3 : -3
        guard state.form == .shell else {
            if isWheel { send(.scroll(step)) }
            return isWheel
        }
        let isInside = contentArea.contains(row: mouse.row, column: mouse.column)
        if state.shell.modes.mouse != .none, state.shell.picture.linesBelow == 0 {
            // A release is sent from anywhere; otherwise the program would consider the button pressed.
            guard isInside || mouse.action == .release else { return false }
            send(.mouse(KeyTranslation.mouse(mouse, in: contentArea)))
            return true
        }
        guard isWheel else { return false }
        if state.shell.modes.usesAlternateScreen {
            // As in xterm: a pager without mouse support is scrolled by the wheel, too.
            for _ in 0..<3 { send(.key(TerminalKey(step > 0 ? .up : .down))) }
        } else {
            send(.scroll(step))
        }
        return true
    }

    // MARK: Drawing

    /// Draws the last state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let (content, bar) = Self.split(area)
        switch state.form {
        case .shell: ShellFormDrawing(state: state, search: search).draw(on: &canvas, in: content)
        case .simple:
            SimpleFormDrawing(state: state.simple, input: input, search: search).draw(on: &canvas, in: content)
        }
        TerminalBar(state: state, search: search).draw(on: &canvas, in: bar)
    }
}
