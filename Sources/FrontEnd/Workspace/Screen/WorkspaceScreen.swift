internal import FlightControl
internal import ModeKit
internal import TextScreen

/// The workspace around every screen: two bars above, a notice line and a key line below, dialogs and help over it.
@MainActor
final class WorkspaceScreen: WorkspaceView {
    var needsFrame: (() -> Void)? {
        didSet { content?.needsFrame = needsFrame }
    }
    var onEnd: (() -> Void)?
    /// Rings the terminal's bell.
    var onRing: (() -> Void)?
    /// The further keys of the configuration file.
    var furtherKeys = FurtherKeys()
    var size = ScreenSize(rows: 0, columns: 0)
    private var state = WorkspaceState()
    var content: (any Screen)?
    /// The open help.
    var help: HelpOverlay?
    /// The open command palette, with what it offered when it was opened: a list that changes under Enter would run something else.
    var palette: (overlay: PaletteOverlay, items: [PaletteItem])?
    /// The line of the palette that was run last: what is refused is there to be corrected.
    var lastLine = ""
    /// The confirmation over everything else.
    var confirmation = ConfirmationDialog()
    private var shownQuestion = ShownQuestion()
    private let send: (WorkspaceIntent) -> Void

    init(send: @escaping (WorkspaceIntent) -> Void) { self.send = send }

    func show(_ state: WorkspaceState) {
        guard state != self.state else { return }
        confirmation.show(state.confirmation)
        let refused = state.refusedLine == self.state.refusedLine ? nil : state.refusedLine
        self.state = state
        if let refused { open(PaletteOverlay(refused, last: lastLine)) }
        needsFrame?()
    }

    func put(_ view: any ModeView) {
        content?.needsFrame = nil
        content = view as? any Screen
        content?.needsFrame = needsFrame
        resizeContent()
        help = nil
        palette = nil
        needsFrame?()
    }

    /// Sets the size of the terminal.
    func resize(to size: ScreenSize) {
        self.size = size
        resizeContent()
        needsFrame?()
    }

    private func resizeContent() {
        if let middle { content?.resize(to: middle) }
    }

    /// The area of the mode's screen and of what is drawn over it; `nil` when the terminal is too small.
    var middle: ScreenArea? { WorkspaceLayout(ScreenArea(size))?.middle }

    /// Whether nothing can be shown.
    private var isTooSmall: Bool { size.rows > 0 && middle == nil }

    func end() { onEnd?() }
    func ring() { onRing?() }

    /// Whether letters are text input.
    var takesText: Bool { confirmation.takesText || palette != nil || content?.takesText == true }
    /// Whether Ctrl-Z is sent to a program on the vehicle.
    var takesControlZ: Bool { state.mode == .terminal && content?.takesText == true }

    /// Whether Space hovers now, whatever was pressed before it: where the vehicle is steered, and no text is typed.
    var spaceStops: Bool { state.mode == .joystick && !takesText }

    // MARK: Keys

    /// Handles a terminal event.
    ///
    /// - Parameter frame: the newest frame that was on the screen when it was read; `nil` if that does not matter.
    func handle(_ event: InputEvent, seen frame: Int? = nil) {
        // The next question may have the same words.
        defer { if question == nil { shownQuestion.close() } }
        let event = event.asFunctionKey(keepsDigits: takesControlZ)
        switch event {
        case .focus(let hasFocus): content?.focusChanged(hasFocus)
        case .key(let key) where key.phase == .release:
            // Always, also under help and dialogs: a key release ends the motion that the key began.
            _ = content?.handle(event)
        case .key(let key) where handleAlways(key): return
        case .key, .paste, .mouse:
            // An emergency landing is confirmed unseen, too.
            if !isTooSmall || confirmation.stops || event.actsUnseen(takesText) { handleSeen(event, frame) }
        default: _ = content?.handle(event)
        }
    }

    /// Handles what is typed at something that is on the screen.
    private func handleSeen(_ event: InputEvent, _ frame: Int?) {
        switch event {
        case .key(let key) where isTypedAhead(frame) && confirmation.mayBeAnswered(by: key): return
        case .key(let key) where confirmation.isOpen: answer(key)
        case .paste(let text) where confirmation.takesText:
            confirmation.paste(text)
            needsFrame?()
        case .key(let key) where palette != nil: answerPalette(key)
        case .paste(let text) where palette != nil:
            palette?.overlay.paste(text)
            needsFrame?()
        case .key(let key) where help != nil: answerHelp(key)
        case .mouse(let mouse) where mouse.action == .press && middle != nil && mouse.row == size.rows - 1:
            click(mouse, seen: frame)
        case .mouse(let mouse) where mouse.action == .press && isTypedAhead(frame): return
        case .mouse(let mouse) where help != nil || palette != nil || confirmation.isOpen:
            handleOverlay(mouse, event)
        default:
            if content?.handle(event) != true { handleUnconsumed(event) }
        }
    }

    /// Keys that work on every screen and over every dialog.
    private func handleAlways(_ key: KeyEvent) -> Bool {
        if let effect = furtherKeys.effect(of: key) {
            // As for F12: what toggles must not repeat.
            if key.phase == .press { perform(effect) }
            return true
        }
        if key.opensPalette(isShell: takesControlZ && palette == nil) {
            if key.phase == .press { togglePalette() }
            return true
        }
        guard key.modifiers.isEmpty else { return false }
        switch key.key {
        case .function(1): toggleHelp()
        // In the terminal F2 is line mode.
        case .function(2) where state.mode != .terminal: togglePalette()
        case .function(5): send(.commandAll)
        case .function(6): send(.nextVehicle)
        case .function(7): send(.hover)
        case .function(8): send(.emergencyLand)
        case .function(10): send(.quit)
        // A second press releases control authority, so key repeat must be ignored.
        case .function(12): if key.phase == .press { send(.takeCommand) }
        default: return false
        }
        return true
    }

    /// The keys of the open screen; where it names the key that quits, with the further ones.
    private var screenKeys: [KeyHelp] {
        (content?.keys ?? []).map { $0.keys == "F10" ? furtherKeys.help($0.keys, $0.action, .send(.quit)) : $0 }
    }

    // MARK: Typed ahead

    /// The question that keys answer now.
    private var question: String? {
        confirmation.question ?? (palette == nil && help == nil ? content?.openQuestion : nil)
    }

    /// Takes note that a frame was drawn from what is shown now. On a terminal that is too small it has no question.
    func wasDrawn(inFrame number: Int) {
        shownQuestion.wasDrawn(middle == nil ? nil : question, inFrame: number)
    }

    /// Whether something was typed before the open question was on the screen: it was meant for what was there before.
    private func isTypedAhead(_ frame: Int?) -> Bool {
        // F8 is pressed by nobody who means something else, and what stops does not wait for a slow terminal.
        guard let frame, let question, !confirmation.stops else { return false }
        return !shownQuestion.isOnScreen(question, inFrame: frame)
    }

    private func answer(_ key: KeyEvent) {
        switch confirmation.handle(key, in: middle ?? ScreenArea(size)) {
        case .send(let intent):
            send(intent)
            // Whatever a question takes Space for, it hovers too.
            if intent == .decline, key.key == .character(" ") { send(.hover) }
        case .changed: needsFrame?()
        case .ignored: break
        }
    }

    private func handleUnconsumed(_ event: InputEvent) {
        guard case .key(let key) = event, key.phase == .press else { return }
        switch (key.key, key.modifiers) {
        case (.escape, []): send(.back)
        // As in other programs.
        case (.character("c"), .control): send(.quit)
        case (.character(" "), []) where !takesText: send(.hover)
        default:
            if key.text == "?", !takesText { toggleHelp() }
            if key.text == ":", !takesText { togglePalette() }
        }
    }

    private var helpContent: HelpOverlay.Content {
        .init(
            keys: screenKeys, details: (content?.details ?? []) + WorkspaceBars.details(state, columns: size.columns),
            everywhere: HelpOverlay.everywhere(
                vehicle: state.vehicle, isShell: takesControlZ, takesText: takesText,
                isHome: state.mode == .menu || state.mode == .login || screenKeys.contains { $0.keys == "Esc" },
                further: { furtherKeys.labels(of: $0) }),
            history: state.history)
    }

    private func toggleHelp() {
        help = help == nil ? HelpOverlay() : nil
        palette = nil
        needsFrame?()
    }

    func answerHelp(_ key: KeyEvent) {
        // As without the help: stopping comes first.
        if key.isPress(of: .character(" "), []), !takesText {
            toggleHelp()
            return send(.hover)
        }
        guard let middle else { return toggleHelp() }
        switch help?.handle(key, helpContent, in: middle) {
        case .close: toggleHelp()
        case .changed: needsFrame?()
        case .ignored, nil: break
        }
    }

    private func togglePalette() {
        // A dialog is answered first.
        guard !confirmation.isOpen else { return }
        open(palette == nil ? PaletteOverlay() : nil)
        needsFrame?()
    }

    /// Opens a palette with what is possible now, or closes it.
    private func open(_ palette: PaletteOverlay?) {
        let (keys, refused) = (content?.keys ?? [], content?.refusedKeys ?? [])
        func further(_ effect: PaletteItem.Effect) -> [String] { furtherKeys.labels(of: effect) }
        self.palette = palette.map { ($0, PaletteItem.all(state, keys, refused: refused, further: further)) }
        help = nil
    }

    func perform(_ effect: PaletteItem.Effect) {
        switch effect {
        case .send(let intent): send(intent)
        case .press(let key): handle(.key(key))
        case .help: toggleHelp()
        case .palette: togglePalette()
        // Its arguments are typed first.
        case .line: break
        }
    }

    // MARK: Drawing

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        guard let layout = WorkspaceLayout(area) else {
            return WorkspaceLayout.drawTooSmall(on: &canvas, in: area, asksToLand: confirmation.stops)
        }
        let middle = layout.middle
        content?.draw(on: &canvas, in: middle)
        WorkspaceBars.draw(state, on: &canvas, in: layout.bars)
        WorkspaceFoot.draw(state.notice, activity: state.activity, keys, on: &canvas, in: layout.foot)
        help?.draw(helpContent, on: &canvas, in: middle)
        palette?.overlay.draw(palette?.items ?? [], on: &canvas, in: middle)
        confirmation.draw(on: &canvas, in: middle)
    }

    /// The keys that currently have an effect.
    var keys: [KeyHelp] {
        let area = middle ?? ScreenArea(size)
        let open =
            confirmation.isOpen
            ? confirmation.keys(in: area)
            : help?.keys(helpContent, in: area) ?? palette.map { $0.overlay.keys($0.items) }
        func line(_ further: FurtherKeys) -> [KeyHelp] {
            KeyLine(
                overlay: open.map { KeyLine.Overlay.open($0) } ?? KeyLine.Overlay.none, screen: screenKeys,
                isAsking: content?.isAsking == true, takesText: takesText, state: state, further: further
            ).keys
        }
        return WorkspaceFoot.line(line(furtherKeys), without: line(FurtherKeys()), columns: size.columns)
    }
}
