public import ModeKit
public import TextScreen

/// The laboratory's screen: what to measure, how far it is, what came out; questions over it.
@MainActor
public final class LatencyLabScreen: LatencyLabView, Screen {
    /// Called when there is something new to draw.
    public var needsFrame: (() -> Void)?
    /// How far down it can be scrolled, in lines.
    public private(set) var longestScroll = 0
    private var state = LatencyLabScreenState()
    private let send: (LatencyLabIntent) -> Void
    private var questions = QuestionLayer()
    /// Where the mouse finds what was drawn last.
    private var list: (list: ScreenArea, first: Int)?
    private var tabs: [LatencyReadingDrawing.Tab] = []
    private var strips = LatencyTimeStrips.Cache()

    /// A screen; `send` takes what the person does.
    public init(send: @escaping (LatencyLabIntent) -> Void) { self.send = send }

    /// Shows a state.
    public func show(_ state: LatencyLabScreenState) {
        guard state != self.state else { return }
        questions.show(
            state.prompt.map {
                Question(
                    id: ["\($0.kind)", "\($0.revision)"], title: $0.title, text: $0.text, hint: $0.hint, note: $0.note,
                    completes: $0.kind == .path)
            }, state.confirmation)
        self.state = state
        needsFrame?()
    }

    /// Whether letters are text here, and no commands.
    public var takesText: Bool { questions.takesText }

    /// What the keys do here.
    public var keys: [KeyHelp] { questions.help ?? LatencyLabKeys.help(state) }

    // MARK: Drawing

    /// Draws what was last shown.
    public func draw(on canvas: inout Canvas, in area: ScreenArea) {
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
        questions.draw(on: &canvas, in: area)
    }

    // MARK: What the person does

    /// Takes something from the terminal; `false` when it means nothing here.
    public func handle(_ event: InputEvent) -> Bool {
        if let outcome = questions.handle(event) { return take(outcome) }
        return switch event {
        case .key(let key): key.phase != .release && handle(key)
        case .mouse(let mouse): handle(mouse)
        default: false
        }
    }

    private func take(_ outcome: QuestionLayer.Outcome) -> Bool {
        switch outcome {
        case .confirm: send(.confirm)
        case .decline: send(.decline)
        case .answer(let text): send(.answer(text))
        case .complete(let text): send(.complete(text))
        case .cancel: send(.cancelPrompt)
        case .edited: needsFrame?()
        case .swallowed: break
        case .force, .ignored: return false
        }
        return true
    }

    private func handle(_ key: KeyEvent) -> Bool {
        guard let intent = LatencyLabKeys.intent(key, state) else { return false }
        send(intent)
        return true
    }

    private func handle(_ mouse: MouseEvent) -> Bool {
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
