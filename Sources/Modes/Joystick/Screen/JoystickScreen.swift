package import ModeKit
package import TextScreen
internal import UAVLink

/// The joystick screen: sticks and setpoints at the left, the top view of the vehicle at the right.
@MainActor
package final class JoystickScreen: JoystickView, Screen {
    /// Called when there is something new to draw.
    package var needsFrame: (() -> Void)?
    private var state = JoystickScreenState()
    private var dialog = DialogLayer()
    private let send: (JoystickIntent) -> Void
    private var area: ScreenArea?

    /// A screen; `send` receives the user's intents.
    package init(send: @escaping (JoystickIntent) -> Void) { self.send = send }

    package func show(_ state: JoystickScreenState) {
        guard state != self.state else { return }
        self.state = state
        dialog.show(nil, state.question)
        needsFrame?()
    }

    /// The terminal gained or lost the focus.
    package func focusChanged(_ hasFocus: Bool) {
        if !hasFocus { send(.lostFocus) }
    }

    /// Whether a question is open.
    package var isAsking: Bool { dialog.isAsking }
    /// What it asks.
    package var openQuestion: String? { dialog.openQuestion }

    /// Sets the area, for clicks.
    package func resize(to area: ScreenArea) {
        self.area = area
        dialog.resize(to: area)
    }

    package var keys: [KeyHelp] { dialog.help ?? JoystickKeyHelp(state).keys }

    /// All of it, where something is left out or cut: without the view from above that is the vehicle's home.
    package var details: [KeyHelp] {
        guard let area else { return [] }
        let all = JoystickFigures(state: state).details
        if JoystickCompact.isUsed(in: area) { return all }
        var canvas = Canvas(ScreenSize(rows: area.rows, columns: area.columns))
        drawAll(on: &canvas, in: canvas.area)
        return canvas.lines.contains { $0.contains("…") } ? all : []
    }

    /// Handles a terminal event; `false` when it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        if case .key(let key) = event, key.phase == .release {
            guard let moving = JoystickKeys.moves[key.key] else { return false }
            send(.release(moving))
            return true
        }
        if dialog.isAsking { return answer(event) }
        guard case .key(let key) = event else { return false }
        guard let intent = JoystickKeys.intent(key) else { return false }
        send(intent)
        return true
    }

    /// A key that was meant for the sticks must not do anything else.
    private func answer(_ event: InputEvent) -> Bool {
        // Whatever a question takes Space for, it hovers too.
        if case .key(let key) = event, key.isPress(of: .character(" ")) {
            send(.answer(false))
            send(.hover)
            return true
        }
        switch dialog.handle(event) {
        case .confirm: send(.answer(true))
        case .decline: send(.answer(false))
        case .edited: needsFrame?()
        default: break
        }
        return true
    }

    /// Draws the current state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        if JoystickCompact.isUsed(in: area) {
            JoystickCompact.draw(state, on: &canvas, in: area)
        } else {
            drawAll(on: &canvas, in: area)
        }
        dialog.draw(on: &canvas, in: area)
    }

    private func drawAll(on canvas: inout Canvas, in area: ScreenArea) {
        let paragraphs = JoystickStatus.foot(state, columns: max(1, area.columns - 2))
        let (body, foot) = area.split(top: area.rows - paragraphs.reduce(0) { $0 + $1.lines.count })
        let width = max(area.columns * 11 / 20, JoystickStatus.columns)
        // Without space for the view from above the text has all.
        let (left, right) = body.split(left: area.columns - width < JoystickMap.columns ? area.columns : width)
        var rest = JoystickStatus.draw(state, on: &canvas, in: left)
        rest = JoystickSticks.draw(state, on: &canvas, in: rest)
        JoystickStatus.drawFigures(state, on: &canvas, in: rest)
        JoystickMap.draw(state, on: &canvas, in: right)
        JoystickStatus.write(paragraphs, on: &canvas, in: foot)
    }
}
