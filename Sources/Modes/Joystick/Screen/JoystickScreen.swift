package import ModeKit
package import TextScreen
internal import UAVLink

/// The joystick screen: sticks and setpoints at the left, the top view of the vehicle at the right.
@MainActor
package final class JoystickScreen: JoystickView, Screen {
    /// Called when there is something new to draw.
    package var needsFrame: (() -> Void)?
    private var state = JoystickScreenState()
    private let send: (JoystickIntent) -> Void

    /// A screen; `send` receives the user's intents.
    package init(send: @escaping (JoystickIntent) -> Void) { self.send = send }

    package func show(_ state: JoystickScreenState) {
        guard state != self.state else { return }
        self.state = state
        needsFrame?()
    }

    /// The terminal gained or lost the focus.
    package func focusChanged(_ hasFocus: Bool) {
        if !hasFocus { send(.lostFocus) }
    }

    package var keys: [KeyHelp] {
        if state.question != nil { return [KeyHelp("y", "yes"), KeyHelp("n Esc", "no")] }
        let (axes, level) = (state.axes, state.axes.intersection([.forward, .sideways]))
        let moves =
            level == .forward ? "forward, back" : level == .sideways ? "left, right" : "forward, back, left, right"
        let keys: [(Bool, KeyHelp)] = [
            (true, KeyHelp("Enter", state.pending.isEmpty ? "take, release control" : "cancel the request")),
            (true, KeyHelp("Space", "hover")),
            (!level.isEmpty, KeyHelp("w s a d", "\(moves) (also k j h l, arrows)")),
            (axes.contains(.turn), KeyHelp("q e", "turn left, right")),
            (axes.contains(.climb), KeyHelp("r f", "climb, descend")), (state.hasTakeOff, KeyHelp("t", "take off")),
            (state.hasLanding, KeyHelp("L", "land")), (state.hasDisarming, KeyHelp("D", "disarm on the ground")),
            (state.hasFrames, KeyHelp("G", "body or world frame")),
            (true, KeyHelp("+ -", "speed limit")), (true, KeyHelp("[ ]", "setpoint rate")),
            (true, KeyHelp("c", "keyboard or game controller")), (true, KeyHelp("m", "stick layout")),
            (true, KeyHelp("x", "stop waiting for a command")), (true, KeyHelp("Esc", "release control, leave")),
        ]
        return keys.filter(\.0).map(\.1)
    }

    /// Handles a terminal event; `false` when it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        if key.phase == .release {
            guard let moving = JoystickKeys.moves[key.key] else { return false }
            send(.release(moving))
            return true
        }
        if state.question != nil { return answer(key) }
        guard let intent = JoystickKeys.intent(key) else { return false }
        send(intent)
        return true
    }

    /// As in every dialog: y, or n and Esc. A key that was meant for something else, Enter too, must not start motors.
    private func answer(_ key: KeyEvent) -> Bool {
        guard key.phase == .press else { return true }
        switch key.key {
        case .character("y") where key.modifiers.isEmpty: send(.answer(true))
        case .character(" "):
            send(.answer(false))
            send(.hover)
        case .character("n"), .escape: send(.answer(false))
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
        if let question = state.question { ask(question, on: &canvas, in: area) }
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

    private func ask(_ question: String, on canvas: inout Canvas, in area: ScreenArea) {
        let columns = min(area.columns, max(40, min(question.cells + 6, 60)))
        let box = area.centred(rows: max(6, question.wrapped(to: columns - 4).count + 3), columns: columns)
        canvas.fill(box)
        let inside = canvas.box(box, title: "Confirm", .tone(.warning), titleStyle: .tone(.warning))
        let text = inside.inset(top: 0, left: 1, right: 1)
        canvas.writeParagraph(question, in: text.split(top: inside.rows - 1).top)
        canvas.write("y: yes    n, Esc: no", row: inside.rows - 1, column: 1, in: inside, .title)
    }
}
