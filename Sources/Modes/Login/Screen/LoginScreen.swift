package import ModeKit
package import TextScreen

/// The log-in screen: a list of vehicles, a form, the steps of a log-in, and dialogs over them.
@MainActor
package final class LoginScreen: LoginView, Screen {
    /// Called when the screen must be redrawn.
    package var needsFrame: (() -> Void)?
    private var state = LoginScreenState()
    private var texts: [LoginField: TextField] = [:]
    private let send: (LoginIntent) -> Void
    private var area: ScreenArea?
    /// The number of lines of the dialog above the first one shown.
    private var scroll = 0
    /// The line that is typed in a dialog.
    private var entry = TextField(isSecret: true)

    /// Creates a screen; `send` receives the user's intents.
    package init(send: @escaping (LoginIntent) -> Void) {
        self.send = send
        for field in LoginField.allCases where field.isText { texts[field] = TextField(isSecret: field == .password) }
    }

    package func show(_ state: LoginScreenState) {
        // What was typed and not taken differs from a state that stays the same.
        let isTaken = LoginField.allCases.allSatisfy {
            !$0.isText || texts[$0]?.text == ($0 == .password ? state.form.password.text : state.form.text(of: $0))
        }
        guard state != self.state || !isTaken else { return }
        // What is asked is the last paragraph: where not all of them fit, it stays above the line that is typed.
        if state.dialog != self.state.dialog { scroll = state.dialog?.entry == nil ? 0 : .max }
        if state.dialog?.entry != self.state.dialog?.entry {
            entry = TextField(isSecret: state.dialog?.entry?.isHidden ?? true)
        }
        self.state = state
        for field in LoginField.allCases where field.isText {
            let text = field == .password ? state.form.password.text : state.form.text(of: field)
            // The cursor keeps its position while the user types.
            if texts[field]?.text != text { texts[field]?.set(text) }
        }
        needsFrame?()
    }

    /// Sets the area, for mouse events.
    package func resize(to area: ScreenArea) { self.area = area }

    private var layout: LoginLayout? { area.map { LoginLayout($0, state) } }

    /// Whether letters are text input, not commands.
    package var takesText: Bool {
        guard let dialog = state.dialog else { return state.focus.isText && !state.isLoggingIn }
        return dialog.entry != nil
    }

    /// What the open dialog asks; `nil` without one, or if it only informs.
    package var openQuestion: String? { state.dialog.flatMap { $0.yes == nil ? nil : $0.title } }

    /// The keys and their actions.
    package var keys: [KeyHelp] {
        if let dialog = state.dialog { return dialog.answers.help }
        if state.isLoggingIn { return [KeyHelp("Esc", "cancel"), KeyHelp("F10", "quit")] }
        // The frame leaves out what does not fit: on a terminal of 60 columns the field's own keys and the last one do.
        let ofField: [KeyHelp] =
            switch state.focus {
            case .list: [KeyHelp("↑ ↓", "choose"), KeyHelp("Tab", "next field")]
            case .link: [KeyHelp("← →", "choose"), KeyHelp("Tab", "next field")]
            case .storePassword, .more: [KeyHelp("Space", "toggle"), KeyHelp("Tab", "next field")]
            default: [KeyHelp("Tab ↑ ↓", "move")]
            }
        return [KeyHelp("Enter", "log in")] + ofField + [KeyHelp("F10", "quit")]
    }

    /// What list and form have no space for.
    package var details: [KeyHelp] {
        layout.map { LoginDrawing(state: state, texts: texts, layout: $0).details } ?? []
    }

    /// Draws the last screen state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let layout = LoginLayout(area, state)
        LoginDrawing(state: state, texts: texts, layout: layout).draw(on: &canvas)
        guard let box = state.dialog?.box(in: area) else { return }
        box.draw(on: &canvas, in: area, scroll: scroll)
        if let field = box.field(in: area) { entry.draw(on: &canvas, in: field, hasFocus: true) }
    }

    // MARK: Keys

    /// Handles a terminal event; `false` when it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        if let area, let next = state.dialog?.box(in: area).scrolled(by: event, from: scroll, in: area) {
            scroll = next
            needsFrame?()
            return true
        }
        return switch event {
        case .key(let key): key.phase != .release && handle(key)
        case .mouse(let mouse): handle(mouse)
        case .paste(let text): takesText && type(text)
        default: false
        }
    }

    private func handle(_ key: KeyEvent) -> Bool {
        if let dialog = state.dialog { return answer(key, dialog) }
        if state.isLoggingIn {
            guard key.key == .escape else { return false }
            send(.cancel)
            return true
        }
        switch (key.key, key.modifiers) {
        case (.enter, []): send(.logIn)
        case (.tab, []): send(.moveFocus(1))
        case (.tab, .shift): send(.moveFocus(-1))
        case (.down, []): send(state.focus == .list ? .moveChoice(1) : .moveFocus(1))
        case (.up, []): send(state.focus == .list ? .moveChoice(-1) : .moveFocus(-1))
        case (.escape, []): send(.cancel)
        default: return handleInField(key)
        }
        return true
    }

    private func answer(_ key: KeyEvent, _ dialog: LoginDialog) -> Bool {
        switch dialog.answers.answer(key) {
        case .confirm: confirm(dialog)
        case .decline:
            send(.cancel)
            // Whatever a question takes Space for, it hovers too.
            return !key.isPress(of: .character(" "))
        case .swallowed: break
        case .ignored:
            guard dialog.entry != nil, entry.handle(key) else { return false }
            needsFrame?()
        }
        return true
    }

    /// Says yes, or answers with the line that was typed, which is kept no longer.
    private func confirm(_ dialog: LoginDialog) {
        guard dialog.entry != nil else { return send(.yes) }
        let typed = TypedPassword(entry.text)
        entry.set("")
        send(.answer(typed))
    }

    private func handleInField(_ key: KeyEvent) -> Bool {
        switch state.focus {
        case .list: return handleInList(key)
        case .link:
            switch (key.key, key.modifiers) {
            case (.left, []): send(.changeLink(-1))
            case (.right, []), (.character(" "), []): send(.changeLink(1))
            default: return false
            }
            return true
        case .storePassword:
            guard key.isPress(of: .character(" ")) else { return false }
            send(.toggleStoring)
            return true
        case .more:
            guard key.isPress(of: .character(" ")) else { return false }
            send(.toggleMore)
            return true
        default:
            guard var text = texts[state.focus], text.handle(key) else { return false }
            take(text)
            return true
        }
    }

    private func handleInList(_ key: KeyEvent) -> Bool {
        switch (key.key, key.modifiers) {
        case (.left, []), (.right, []):
            // In a narrow area the list is one line, scrolled by these keys.
            guard layout?.list == nil else { return false }
            send(.moveChoice(key.key == .left ? -1 : 1))
            return true
        case (.character(let character), let modifiers) where modifiers.subtracting(.shift).isEmpty:
            // Letters and digits begin an address; keys of the workspace (Space, ?) are left to it.
            guard character.isLetter || character.isNumber, let text = key.text else { return false }
            send(.typeAddress(text))
            return true
        default: return false
        }
    }

    private func type(_ text: String) -> Bool {
        if state.dialog?.entry != nil {
            entry.insert(text)
            needsFrame?()
            return true
        }
        guard var field = texts[state.focus] else { return false }
        field.insert(text)
        take(field)
        return true
    }

    private func take(_ text: TextField) {
        let before = texts[state.focus]
        texts[state.focus] = text
        if before?.text == text.text {
            needsFrame?()
        } else if state.focus == .password {
            send(.editPassword(TypedPassword(text.text)))
        } else {
            send(.edit(state.focus, text.text))
        }
    }

    // MARK: Mouse

    private func handle(_ mouse: MouseEvent) -> Bool {
        guard mouse.action == .press, mouse.button == 0, let area, let layout else { return false }
        let isAt = { (area: ScreenArea?) in area?.contains(row: mouse.row, column: mouse.column) == true }
        if let dialog = state.dialog {
            let keys = area.placed { dialog.box(in: area).draw(on: &$0, in: area, scroll: scroll) }
            if isAt(keys.yes) { confirm(dialog) } else if isAt(keys.no) { send(.cancel) }
            return true
        }
        if let list = layout.list?.inset(top: 1, left: 1, bottom: 1, right: 1), isAt(list) {
            let index = mouse.row - list.row + layout.choices.first
            if state.choices.indices.contains(index) { send(.choose(index)) }
            return true
        }
        if isAt(layout.button) {
            send(.logIn)
            return true
        }
        guard let field = layout.fields.first(where: { isAt($0.area) })?.field else { return false }
        send(.focus(field))
        if field == .storePassword { send(.toggleStoring) }
        if field == .more { send(.toggleMore) }
        if field == .link, mouse.column >= layout.form.column + LoginLayout.labelColumns { send(.changeLink(1)) }
        return true
    }
}
