internal import Modules
internal import TextScreen

/// The laboratory's screen: what to measure, how far it is, what came out; questions over it.
@MainActor
final class LatencyLabScreen: LatencyLabView, Screen {
    var needsFrame: (() -> Void)?
    private(set) var longestScroll = 0
    private var state = LatencyLabScreenState()
    private let send: (LatencyLabIntent) -> Void
    private var field = TextField()
    private var dialogKeys = MapDialogs.Keys()
    /// Where the mouse finds what was drawn last.
    private var list: (list: ScreenArea, first: Int)?
    private var tabs: [LatencyReadingDrawing.Tab] = []
    private var strips = LatencyTimeStrips.Cache()

    init(send: @escaping (LatencyLabIntent) -> Void) { self.send = send }

    func show(_ state: LatencyLabScreenState) {
        guard state != self.state else { return }
        // A new question begins with its own text, and so does one that was completed.
        if let prompt = state.prompt,
            prompt.kind != self.state.prompt?.kind || prompt.revision != self.state.prompt?.revision
        {
            field.set(prompt.text)
        }
        self.state = state
        needsFrame?()
    }

    var takesText: Bool { state.prompt != nil }

    var keys: [KeyHelp] { LatencyLabKeys.help(state) }

    // MARK: Drawing

    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        longestScroll = 0
        (list, tabs) = (nil, [])
        switch state.phase {
        case .choosing: list = LatencySetupDrawing.draw(state.setup, on: &canvas, in: area)
        case .measuring: LatencyProgressDrawing.draw(state.progress, on: &canvas, in: area)
        case .reading:
            if let reading = state.results {
                longestScroll = LatencyReadingDrawing.draw(reading, &strips, on: &canvas, in: area)
                tabs = LatencyReadingDrawing.drawTabs(reading.page, on: &canvas, in: area)
            }
        }
        dialogKeys = MapDialogs.Keys()
        if let confirmation = state.confirmation {
            dialogKeys = MapDialogs.draw(confirmation, on: &canvas, in: area)
        } else if let prompt = state.prompt {
            let shown = MapPrompt(.open, title: prompt.title, hint: prompt.hint, note: prompt.note)
            MapDialogs.draw(shown, field: field, on: &canvas, in: area)
        }
    }

    // MARK: What the person does

    func handle(_ event: InputEvent) -> Bool {
        switch event {
        case .key(let key): key.phase != .release && handle(key)
        case .mouse(let mouse): handle(mouse)
        case .paste(let text): takesText && state.confirmation == nil && type(text)
        default: false
        }
    }

    private func handle(_ key: KeyEvent) -> Bool {
        if state.confirmation != nil {
            // Enter decides nothing: it may have been meant for a line.
            guard let intent = LatencyLabKeys.answer(key) else { return key.key == .enter }
            send(intent)
            return true
        }
        if state.prompt != nil {
            switch (key.key, key.modifiers) {
            case (.enter, []): send(.answer(field.text))
            case (.escape, []): send(.cancelPrompt)
            case (.tab, []): send(.complete(field.text))
            default:
                guard field.handle(key) else { return false }
                needsFrame?()
            }
            return true
        }
        guard let intent = LatencyLabKeys.intent(key, state) else { return false }
        send(intent)
        return true
    }

    private func type(_ text: String) -> Bool {
        field.insert(text)
        needsFrame?()
        return true
    }

    private func handle(_ mouse: MouseEvent) -> Bool {
        if state.confirmation != nil {
            guard mouse.action == .press else { return false }
            if dialogKeys.yes?.contains(row: mouse.row, column: mouse.column) == true { send(.confirm) }
            if dialogKeys.no?.contains(row: mouse.row, column: mouse.column) == true { send(.decline) }
            return true
        }
        guard state.prompt == nil else { return false }
        switch mouse.action {
        case .wheelUp: send(.move(-1))
        case .wheelDown: send(.move(1))
        case .press where mouse.button == 0: return click(row: mouse.row, column: mouse.column)
        default: return false
        }
        return true
    }

    private func click(row: Int, column: Int) -> Bool {
        if let tab = tabs.first(where: { $0.area.contains(row: row, column: column) }) {
            send(.page(tab.page))
            return true
        }
        guard let list, list.list.contains(row: row, column: column) else { return false }
        let line = list.first + row - list.list.row
        guard state.setup.lines.indices.contains(line) else { return false }
        send(.go(to: line))
        send(.take)
        return true
    }
}
