public import ModeKit
public import TextScreen

/// The screen of the latency laboratory: setup, progress or results, with prompts and confirmations as overlays.
@MainActor
public final class LatencyLabScreen: LatencyLabView, Screen {
    /// Called when the screen must be redrawn.
    public var needsFrame: (() -> Void)?
    private var state = LatencyLabScreenState()
    private let send: (LatencyLabIntent) -> Void
    private var questions = DialogLayer()
    private var area: ScreenArea?
    private var strips: LatencyTimeStrips.Strips?

    /// Creates a screen; `send` receives the user's intents.
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
        updateStrips()
        needsFrame?()
    }

    /// Sets the area, and tells the Presenter its size.
    public func resize(to area: ScreenArea) {
        guard area != self.area else { return }
        self.area = area
        questions.resize(to: area)
        updateStrips()
        send(.resize(rows: area.rows, columns: area.columns))
    }

    private func updateStrips() {
        if let area { strips = LatencyTimeStrips.strips(state, strips, screen: area) }
    }

    /// Whether keys are text input instead of commands.
    public var takesText: Bool { questions.takesText }

    /// The help on the keys.
    public var keys: [KeyHelp] { questions.help ?? LatencyLabKeys.help(state) }

    // MARK: Drawing

    /// Draws the current state.
    public func draw(on canvas: inout Canvas, in area: ScreenArea) {
        switch state.phase {
        case .choosing: _ = LatencySetupDrawing.draw(state.setup, on: &canvas, in: area)
        case .measuring: LatencyProgressDrawing.draw(state.progress, on: &canvas, in: area)
        case .reading:
            if let reading = state.results {
                LatencyResultsDrawing.draw(reading, strips, on: &canvas, in: area)
                _ = LatencyResultsDrawing.drawTabs(reading.page, on: &canvas, in: area)
            }
        }
        questions.draw(on: &canvas, in: area)
    }

    // MARK: Input

    /// Handles an input event; `false` when it is not used here.
    public func handle(_ event: InputEvent) -> Bool {
        if let outcome = questions.handle(event) { return outcome.pass(to: send) { needsFrame?() } }
        return switch event {
        case .key(let key): key.phase != .release && handle(key)
        case .mouse(let mouse): handle(mouse)
        default: false
        }
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
        guard let area else { return false }
        if state.phase == .reading, let page = state.results?.page {
            let tabs = area.placed { LatencyResultsDrawing.drawTabs(page, on: &$0, in: area) }
            guard let tab = tabs.first(where: { $0.area.contains(row: row, column: column) }) else { return false }
            send(.page(tab.page))
            return true
        }
        guard state.phase == .choosing else { return false }
        let (list, first) = area.placed { LatencySetupDrawing.draw(state.setup, on: &$0, in: area) }
        guard list.contains(row: row, column: column) else { return false }
        let line = first + row - list.row
        guard state.setup.lines.indices.contains(line) else { return false }
        send(.go(to: line))
        send(.take)
        return true
    }
}
