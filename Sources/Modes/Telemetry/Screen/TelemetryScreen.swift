package import ModeKit
package import TextScreen

/// Shows all telemetry of the vehicle.
@MainActor
package final class TelemetryScreen: TelemetryView, Screen {
    /// Called when there is something new to draw.
    package var needsFrame: (() -> Void)?
    private var state = TelemetryScreenState()
    private var field = TextField()
    private let send: (TelemetryIntent) -> Void
    private var area = ScreenArea(rows: 0, columns: 0)

    /// Creates a screen; `send` receives the user's intents.
    package init(send: @escaping (TelemetryIntent) -> Void) { self.send = send }

    package func show(_ state: TelemetryScreenState) {
        guard state != self.state else { return }
        if self.state.prompt == nil, state.prompt != nil { field = TextField() }
        self.state = state
        needsFrame?()
    }

    /// Sets the area, and tells the Presenter its size.
    package func resize(to area: ScreenArea) {
        guard area != self.area else { return }
        self.area = area
        send(.resize(rows: area.rows, columns: area.columns))
    }

    /// The keys and their meaning.
    package var keys: [KeyHelp] {
        if state.prompt != nil {
            return [KeyHelp("Enter", "add"), KeyHelp("Tab", "complete"), KeyHelp("Esc", "cancel")]
        }
        let layout = TelemetryLayout(state, in: area)
        let enlarges =
            state.isEnlarged ? [KeyHelp("Enter", "show all")] : layout.hasRoom ? [KeyHelp("Enter", "enlarge it")] : []
        return (state.panels.count > 1 ? [KeyHelp("Tab", "next panel")] : []) + enlarges
            + (layout.scrolls ? [KeyHelp("↑ ↓ PgUp PgDn", "scroll")] : [])
            + (state.hasTopics ? [Self.addTopic] : [])
            + (state.topics.count > 1 ? [KeyHelp("← →", "choose a topic")] : [])
            + (state.topics.isEmpty ? [] : [KeyHelp("x", "remove it")])
    }

    private static let addTopic = KeyHelp("a", "add a ROS topic")

    /// Where there are no topics, that none can be added.
    package var refusedKeys: [RefusedKey] {
        state.hasTopics || state.prompt != nil ? [] : [RefusedKey(Self.addTopic, TelemetryScreenState.noTopics)]
    }

    /// In narrow panels lines are cut.
    package var details: [KeyHelp] {
        guard area.columns < Self.columnsForWholeLines else { return [] }
        return (state.motion + state.allVehicleLines).map { line in
            KeyHelp(line.label, line.note.isEmpty ? line.value : "\(line.value) (\(line.note))")
        }
    }

    /// From here on, a panel has space for the longest of its usual lines.
    private static let columnsForWholeLines = 100

    /// Whether letters are text here, not commands.
    package var takesText: Bool { state.prompt != nil }

    // MARK: Keys

    /// Handles an event; `false` if it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        switch event {
        case .key(let key) where key.phase != .release:
            return state.prompt == nil ? handleKey(key) : handleTyping(key)
        case .paste(let text) where state.prompt != nil:
            field.insert(text)
            typed()
            return true
        case .mouse(let mouse) where state.prompt == nil: return handle(mouse)
        default: return false
        }
    }

    /// The panel under the pointer is chosen, and scrolled by the wheel.
    private func handle(_ mouse: MouseEvent) -> Bool {
        let lines: Int
        switch mouse.action {
        case .wheelUp: lines = -3
        case .wheelDown: lines = 3
        case .press: lines = 0
        default: return false
        }
        let place = TelemetryLayout(state, in: area).places.first {
            $0.area.contains(row: mouse.row, column: mouse.column)
        }
        if let panel = place?.panel, panel != state.focus { send(.focusPanel(panel)) }
        if lines != 0 { send(.scroll(lines)) }
        return true
    }

    private func handleKey(_ key: KeyEvent) -> Bool {
        let page = max(1, TelemetryLayout(state, in: area).visibleLines - 1)
        switch (key.key, key.modifiers) {
        case (.tab, []): send(.focus(1))
        case (.tab, .shift): send(.focus(-1))
        case (.enter, []): send(.enlarge)
        case (.escape, []) where state.isEnlarged: send(.shrink)
        case (.up, []), (.character("k"), []): send(.scroll(-1))
        case (.down, []), (.character("j"), []): send(.scroll(1))
        case (.pageUp, []): send(.scroll(-page))
        case (.pageDown, []): send(.scroll(page))
        case (.home, []): send(.scrollToEnd(false))
        case (.end, []): send(.scrollToEnd(true))
        case (.left, []): send(.selectTopic(-1))
        case (.right, []): send(.selectTopic(1))
        case (.character("a"), []): send(.openTopicPrompt)
        case (.character("x"), []): send(.removeTopic)
        default: return false
        }
        return true
    }

    private func handleTyping(_ key: KeyEvent) -> Bool {
        switch (key.key, key.modifiers) {
        case (.escape, []): send(.cancelTopicPrompt)
        case (.enter, []): send(.addTopic(field.text))
        case (.tab, []):
            guard let first = state.prompt?.suggestions.first else { return true }
            field.set(first)
            typed()
        default:
            guard field.handle(key) else { return false }
            typed()
        }
        return true
    }

    private func typed() {
        send(.typed(field.text))
        needsFrame?()
    }

    // MARK: Drawing

    /// Draws the last state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let places = TelemetryLayout(state, in: area).places
        let panels = TelemetryPanels(state: state, isAlone: places.count == 1)
        for place in places {
            panels.draw(place.panel, on: &canvas, in: place.area)
        }
        if let prompt = state.prompt { draw(prompt, on: &canvas, in: area) }
    }

    private func draw(_ prompt: TopicPrompt, on canvas: inout Canvas, in area: ScreenArea) {
        let place = area.centred(rows: 13, columns: min(area.columns, 64))
        canvas.fill(place)
        let inside = canvas.box(place, title: "Add a ROS topic", .tone(.accent)).inset(left: 1, right: 1)
        let (line, rest) = inside.split(top: 1)
        field.draw(on: &canvas, in: line, hasFocus: true)
        let (middle, foot) = rest.split(top: rest.rows - 1)
        let isRefused = !prompt.problem.isEmpty
        let text = isRefused ? prompt.problem : prompt.note
        let lines = text.isEmpty ? [] : text.wrapped(to: middle.columns, atMost: middle.rows)
        let (names, below) = middle.split(top: middle.rows - lines.count)
        for (row, name) in prompt.suggestions.enumerated() {
            canvas.write((row == 0 ? "Tab " : "    ") + name, row: row, in: names, row == 0 ? .tone(.accent) : .muted)
        }
        for (row, line) in lines.enumerated() {
            canvas.write(line, row: row, in: below, .tone(isRefused ? .danger : .warning))
        }
        let (keys, rule) = ("Enter: add, Esc: cancel", ". Without / relative to the vehicle.")
        canvas.write(keys.cells + rule.cells <= foot.columns ? keys + rule : keys, row: 0, in: foot, .muted)
    }
}
