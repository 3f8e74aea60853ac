internal import FlightControl
internal import ModeKit
internal import TextScreen

/// The workspace around every screen: two bars above, a notice line and a key line below, dialogs and help over it.
@MainActor
final class WorkspaceScreen: WorkspaceView {
    /// The smallest supported terminal size; with a smaller one only a message is drawn.
    static let smallest = ScreenSize(rows: 12, columns: 40)

    var needsFrame: (() -> Void)? {
        didSet { content?.needsFrame = needsFrame }
    }
    var onEnd: (() -> Void)?
    /// Rings the terminal's bell.
    var onRing: (() -> Void)?
    /// The further keys of the configuration file.
    var furtherKeys: [(key: KeyEvent, effect: PaletteItem.Effect)] = []
    private var size = ScreenSize(rows: 0, columns: 0)
    private var state = WorkspaceState()
    private var content: (any Screen)?
    /// The open help.
    private var help: HelpOverlay?
    /// The open command palette, with what it offered when it was opened: a list that changes under Enter would run something else.
    private var palette: PaletteOverlay?
    private var paletteItems: [PaletteItem] = []
    /// The confirmation over everything else.
    private var confirmation = ConfirmationDialog()
    /// The open question, and the first frame that shows it; `nil` until one was drawn.
    private var shownQuestion: (text: String, frame: Int)?
    private let send: (WorkspaceIntent) -> Void

    init(send: @escaping (WorkspaceIntent) -> Void) { self.send = send }

    func show(_ state: WorkspaceState) {
        guard state != self.state else { return }
        confirmation.show(state.confirmation)
        let refused = state.refusedLine == self.state.refusedLine ? nil : state.refusedLine
        self.state = state
        if let refused { open(PaletteOverlay(refused)) }
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
    private var middle: ScreenArea? { Self.split(ScreenArea(size))?.middle }

    func end() { onEnd?() }
    func ring() { onRing?() }

    /// Whether letters are text input.
    var takesText: Bool { confirmation.takesText || palette != nil || content?.takesText == true }
    /// Whether Ctrl-Z is sent to a program on the vehicle.
    var takesControlZ: Bool { state.mode == .terminal && content?.takesText == true }

    // MARK: Keys

    /// Handles a terminal event.
    ///
    /// - Parameter frame: the newest frame that was on the screen when it was read; `nil` if that does not matter.
    func handle(_ event: InputEvent, seen frame: Int? = nil) {
        // The next question may have the same words.
        defer { if question == nil { shownQuestion = nil } }
        let event = asFunctionKey(event)
        switch event {
        case .focus(let hasFocus): content?.focusChanged(hasFocus)
        case .key(let key) where key.phase == .release:
            // Always, also under help and dialogs: a key release ends the motion that the key began.
            _ = content?.handle(event)
        case .key(let key) where handleAlways(key): return
        case .key(let key) where isTypedAhead(frame) && mayAnswer(key): return
        case .key(let key) where confirmation.isOpen: answer(key)
        case .paste(let text) where confirmation.takesText:
            confirmation.paste(text)
            needsFrame?()
        case .key(let key) where palette != nil: answerPalette(key)
        case .paste(let text) where palette != nil:
            palette?.paste(text)
            needsFrame?()
        case .key(let key) where help != nil: answerHelp(key)
        case .mouse(let mouse) where mouse.action == .press && isKeyLine(mouse.row): click(mouse, seen: frame)
        case .mouse(let mouse) where mouse.action == .press && isTypedAhead(frame): return
        case .mouse(let mouse) where help != nil || palette != nil || confirmation.isOpen:
            handleOverlay(mouse, event)
        default:
            if content?.handle(event) != true { handleUnconsumed(event) }
        }
    }

    /// Alt-1 to Alt-0 are F1 to F10, as in Midnight Commander: some terminals take function keys for themselves. A shell keeps
    /// those that neither stop the vehicle nor leave it.
    private func asFunctionKey(_ event: InputEvent) -> InputEvent {
        guard case .key(let key) = event, key.modifiers == .alt, case .character(let character) = key.key,
            let digit = character.wholeNumberValue, character.isASCII, !takesControlZ || (7...9).contains(digit)
        else { return event }
        return .key(KeyEvent(.function(digit == 0 ? 10 : digit), phase: key.phase))
    }

    /// Keys that work on every screen and over every dialog.
    private func handleAlways(_ key: KeyEvent) -> Bool {
        if let effect = furtherEffect(of: key) {
            // As for F12: what toggles must not repeat.
            if key.phase == .press { perform(effect) }
            return true
        }
        if key.isPaletteKey {
            if key.phase == .press { togglePalette() }
            return true
        }
        guard key.modifiers.isEmpty else { return false }
        switch key.key {
        case .function(1): toggleHelp()
        // In the terminal F2 is command mode.
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

    // MARK: Keys of the configuration file

    /// What a further key does; `nil` for any other key.
    private func furtherEffect(of key: KeyEvent) -> PaletteItem.Effect? {
        furtherKeys.first { key.isPress(of: $0.key.key, $0.key.modifiers) }?.effect
    }

    /// The further keys of an action, as in the help.
    private func furtherLabels(of effect: PaletteItem.Effect) -> [String] {
        furtherKeys.filter { $0.effect == effect }.compactMap { $0.key.label }
    }

    /// The description of a key that works on every screen, with the further keys of its action.
    private func described(_ key: String, _ action: String, _ effect: PaletteItem.Effect) -> KeyHelp {
        KeyHelp(([key] + furtherLabels(of: effect)).joined(separator: " "), action)
    }

    /// The keys of the open screen; where it names the key that quits, with the further ones.
    private var screenKeys: [KeyHelp] {
        (content?.keys ?? []).map { $0.keys == "F10" ? described($0.keys, $0.action, .send(.quit)) : $0 }
    }

    // MARK: Typed ahead

    /// The question that keys answer now.
    private var question: String? {
        confirmation.question ?? (palette == nil && help == nil ? content?.openQuestion : nil)
    }

    /// Takes note that a frame was drawn from what is shown now. On a terminal that is too small it has no question.
    func wasDrawn(inFrame number: Int) {
        guard middle != nil, let question else { return shownQuestion = nil }
        if shownQuestion?.text != question { shownQuestion = (question, number) }
    }

    /// Whether something was typed before the open question was on the screen: it was meant for what was there before.
    private func isTypedAhead(_ frame: Int?) -> Bool {
        // F8 is pressed by nobody who means something else, and what stops does not wait for a slow terminal.
        guard let frame, let question, !confirmation.stops else { return false }
        guard let shown = shownQuestion, shown.text == question else { return true }
        return frame < shown.frame
    }

    /// Whether a key may confirm a question: what stops or declines acts at once, a reason is only typed until Enter.
    private func mayAnswer(_ key: KeyEvent) -> Bool {
        let stops =
            key.isPress(of: .character(" ")) || key.isPress(of: .escape) || key.isPress(of: .character("c"), .control)
        return !stops && (!confirmation.takesText || key.key == .enter)
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

    /// The mouse does not reach through the help or a dialog, but a release ends what a press began. The wheel scrolls what is open.
    private func handleOverlay(_ mouse: MouseEvent, _ event: InputEvent) {
        switch mouse.action {
        case .release: _ = content?.handle(event)
        case .wheelUp, .wheelDown:
            if confirmation.isOpen {
                if confirmation.scroll(by: event, in: middle ?? ScreenArea(size)) { needsFrame?() }
            } else if palette != nil {
                answerPalette(KeyEvent(mouse.action == .wheelUp ? .up : .down))
            } else {
                answerHelp(KeyEvent(mouse.action == .wheelUp ? .up : .down))
            }
        default: break
        }
    }

    private func isKeyLine(_ row: Int) -> Bool { middle != nil && row == size.rows - 1 }

    /// A click on a key of the last line presses it. A question is not answered there: the click may have been meant for the key
    /// that was in that place before.
    private func click(_ mouse: MouseEvent, seen frame: Int?) {
        guard let key = WorkspaceFoot.key(at: mouse.column, of: keys, columns: size.columns) else { return }
        let isAsking = confirmation.isOpen || content?.isAsking == true
        guard !isAsking || stops(key) else { return }
        handle(.key(key), seen: frame)
    }

    /// Whether a key hovers or asks for the emergency landing.
    private func stops(_ key: KeyEvent) -> Bool {
        switch furtherEffect(of: key) {
        case .send(.hover), .send(.emergencyLand): true
        case nil: [.function(7), .function(8)].contains(key.key)
        default: false
        }
    }

    private var helpContent: HelpOverlay.Content {
        .init(
            keys: screenKeys,
            everywhere: HelpOverlay.everywhere(
                vehicle: state.vehicle, isShell: takesControlZ, isHome: state.mode == .menu || state.mode == .login,
                further: { furtherLabels(of: $0) }),
            history: state.history)
    }

    private func toggleHelp() {
        help = help == nil ? HelpOverlay() : nil
        palette = nil
        needsFrame?()
    }

    private func answerHelp(_ key: KeyEvent) {
        // As without the help: stopping comes first.
        if key.isPress(of: .character(" "), []), !takesText {
            help = nil
            send(.hover)
            needsFrame?()
            return
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
        self.palette = palette
        paletteItems =
            palette == nil
            ? [] : PaletteItem.all(state, content?.keys ?? [], further: { furtherLabels(of: $0) })
        help = nil
    }

    private func answerPalette(_ key: KeyEvent) {
        let outcome = palette?.handle(key, paletteItems)
        switch outcome {
        case .close, .run: palette = nil
        case .changed: break
        case .ignored, nil: return
        }
        needsFrame?()
        if case .run(let effect)? = outcome { perform(effect) }
    }

    private func perform(_ effect: PaletteItem.Effect) {
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
        guard let (bars, middle, foot) = Self.split(area) else { return drawTooSmall(on: &canvas, in: area) }
        content?.draw(on: &canvas, in: middle)
        WorkspaceBars.draw(state, on: &canvas, in: bars)
        WorkspaceFoot.draw(state.notice, activity: state.activity, keys, on: &canvas, in: foot)
        help?.draw(helpContent, on: &canvas, in: middle)
        palette?.draw(paletteItems, on: &canvas, in: middle)
        confirmation.draw(on: &canvas, in: middle)
    }

    /// The bars, the mode's screen and the two lines below it; `nil` when the terminal is too small.
    private static func split(_ area: ScreenArea) -> (bars: ScreenArea, middle: ScreenArea, foot: ScreenArea)? {
        guard area.rows >= smallest.rows, area.columns >= smallest.columns else { return nil }
        let (bars, below) = area.split(top: 2)
        let (middle, foot) = below.split(top: below.rows - 2)
        return (bars, middle, foot)
    }

    private func drawTooSmall(on canvas: inout Canvas, in area: ScreenArea) {
        let text = "terminal too small: needs \(Self.smallest.columns)x\(Self.smallest.rows); F7 hovers"
        canvas.writeParagraph(text, in: area, .tone(.warning))
    }

    /// The keys that currently have an effect: a confirmation takes the keys of the screen below it.
    private var keys: [KeyHelp] {
        let stops =
            state.vehicle == nil
            ? []
            : [
                described("F7", "hover", .send(.hover)), described("F8", "emergency", .send(.emergencyLand)),
            ]
        if confirmation.isOpen { return stops + confirmation.keys }
        // The keys of the screen below do not act now.
        if help != nil { return stops + [KeyHelp("↑ ↓", "scroll"), KeyHelp("Esc", "close the help")] }
        if palette != nil { return stops + [KeyHelp("Enter", "run"), KeyHelp("Esc", "close")] }
        let takeOver =
            state.vehicle?.isControlledByOther == true ? [described("F12", "take over", .send(.takeCommand))] : []
        let screenKeys = screenKeys
        // A question takes these keys too.
        if content?.isAsking == true { return stops + takeOver + screenKeys }
        // What matters most on a screen is there on a narrow terminal too.
        return stops + takeOver + [described(takesText ? "F1" : "?", "help", .help)] + screenKeys.prefix(1)
            + [described(paletteKey, "command", .palette)] + screenKeys.dropFirst()
    }

    private var paletteKey: String { !takesText ? ":" : state.mode == .terminal ? "Alt-:" : "F2" }
}
