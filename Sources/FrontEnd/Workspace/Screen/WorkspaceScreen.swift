internal import FlightControl
internal import ModeKit
internal import TextScreen

/// The frame around every screen: two bars above, a line of news and a line of keys below, dialogs and help over it.
@MainActor
final class WorkspaceScreen: WorkspaceView {
    /// The smallest terminal that is drawn on; a smaller one is asked to grow.
    static let smallest = ScreenSize(rows: 12, columns: 40)

    var needsFrame: (() -> Void)? {
        didSet { content?.needsFrame = needsFrame }
    }
    var onEnd: (() -> Void)?
    private var state = WorkspaceState()
    private var content: (any Screen)?
    private var showsHelp = false
    /// The reason that goes with the answer to a question.
    private var reason = TextField()
    private let send: (WorkspaceIntent) -> Void

    init(send: @escaping (WorkspaceIntent) -> Void) { self.send = send }

    func show(_ state: WorkspaceState) {
        guard state != self.state else { return }
        if let text = state.confirmation?.reason, state.confirmation != self.state.confirmation { reason.set(text) }
        self.state = state
        needsFrame?()
    }

    func put(_ view: any ModuleView) {
        content?.needsFrame = nil
        content = view as? any Screen
        content?.needsFrame = needsFrame
        showsHelp = false
        needsFrame?()
    }

    func end() { onEnd?() }

    /// Whether letters are text at present.
    var takesText: Bool { asksForReason || content?.takesText == true }
    private var asksForReason: Bool { state.confirmation?.reason != nil }
    /// Whether Ctrl-Z belongs to a program on the vehicle.
    var takesControlZ: Bool { state.mode == .terminal && content?.takesText == true }

    // MARK: Keys

    func handle(_ event: InputEvent) {
        switch event {
        case .focus(let hasFocus): content?.focusChanged(hasFocus)
        case .key(let key) where key.phase == .release:
            // Always, also under help and dialogs: a key that is let go of ends the motion that it began.
            _ = content?.handle(event)
        case .key(let key) where handleAlways(key): return
        case .key(let key) where asksForReason: answerBecause(key)
        case .key(let key) where state.confirmation != nil: answer(key)
        case .paste(let text) where asksForReason:
            reason.insert(text)
            needsFrame?()
        case .key(let key) where showsHelp:
            // Any key closes the help; one that is let go of was pressed before.
            if key.phase == .press { toggleHelp() }
        default:
            if content?.handle(event) != true { handleLeftOver(event) }
        }
    }

    /// Keys that work on every screen and over every dialog.
    private func handleAlways(_ key: KeyEvent) -> Bool {
        guard key.modifiers.isEmpty else { return false }
        switch key.key {
        case .function(1): toggleHelp()
        case .function(5): send(.commandAll)
        case .function(6): send(.nextVehicle)
        case .function(7): send(.hover)
        case .function(8): send(.emergencyLand)
        case .function(10): send(.quit)
        // Pressed again it gives back: a key that is held must not.
        case .function(12): if key.phase == .press { send(.takeCommand) }
        default: return false
        }
        return true
    }

    private func answer(_ key: KeyEvent) {
        guard key.phase == .press else { return }
        switch (key.key, key.modifiers) {
        case (.character("y"), []): send(.confirm)
        case (.character("n"), []), (.escape, []): send(.decline)
        default: return
        }
    }

    private func answerBecause(_ key: KeyEvent) {
        switch (key.key, key.modifiers) {
        case (.enter, []) where key.phase == .press: send(.confirmBecause(reason.text))
        case (.escape, []) where key.phase == .press: send(.decline)
        default: if reason.handle(key) { needsFrame?() }
        }
    }

    private func handleLeftOver(_ event: InputEvent) {
        guard case .key(let key) = event, key.phase == .press else { return }
        switch (key.key, key.modifiers) {
        case (.escape, []): send(.back)
        // What it means in every other program.
        case (.character("c"), .control): send(.quit)
        case (.character(" "), []) where !takesText: send(.hover)
        default: if key.text == "?", !takesText { toggleHelp() }
        }
    }

    private func toggleHelp() {
        showsHelp.toggle()
        needsFrame?()
    }

    // MARK: Drawing

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        guard area.rows >= Self.smallest.rows, area.columns >= Self.smallest.columns else {
            return drawTooSmall(on: &canvas, in: area)
        }
        let (bars, below) = area.split(top: 2)
        let (middle, foot) = below.split(top: below.rows - 2)
        content?.draw(on: &canvas, in: middle)
        WorkspaceBars.draw(state, on: &canvas, in: bars)
        drawFoot(on: &canvas, in: foot)
        if showsHelp { HelpOverlay.draw(keys: content?.keys ?? [], mode: state.mode, on: &canvas, in: middle) }
        if let confirmation = state.confirmation { ConfirmationBox.draw(confirmation, reason, on: &canvas, in: middle) }
    }

    private func drawTooSmall(on canvas: inout Canvas, in area: ScreenArea) {
        let text = "too small: \(Self.smallest.columns)x\(Self.smallest.rows) are needed; F7 hovers"
        canvas.writeParagraph(text, in: area, .tone(.warning))
    }

    /// Those that do now what they are said to do: a question takes the keys of the screen below it.
    private var keys: [KeyHelp] {
        let stops = state.vehicle == nil ? [] : [KeyHelp("F7", "hover"), KeyHelp("F8", "emergency")]
        if let confirmation = state.confirmation { return stops + ConfirmationBox.answers(to: confirmation) }
        let takeOver = state.vehicle?.isAnothers == true ? [KeyHelp("F12", "take over")] : []
        return stops + takeOver + [KeyHelp(takesText ? "F1" : "?", "help")] + (content?.keys ?? [])
    }

    private func drawFoot(on canvas: inout Canvas, in area: ScreenArea) {
        if let notice = state.notice {
            let (mark, style): (String, Style) =
                switch notice.weight {
                case .information: ("·", .plain)
                case .success: ("✓", .tone(.good))
                case .warning: ("!", .tone(.warning))
                case .error: ("✗", .tone(.danger))
                }
            canvas.write("\(mark) \(notice.text)".fitted(to: area.columns), row: 0, in: area, style)
        }
        var column = 0
        for help in keys {
            let width = help.keys.cells + help.action.cells + 3
            guard column + width <= area.columns else { continue }
            canvas.write(
                [.init(help.keys, .title), .init(" \(help.action)", .muted)], row: 1, column: column, in: area)
            column += width
        }
    }
}
