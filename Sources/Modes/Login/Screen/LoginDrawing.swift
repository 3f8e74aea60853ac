internal import TextScreen
internal import UAVLink
internal import VehicleAccess

/// Draws the log-in's screen state.
struct LoginDrawing {
    let state: LoginScreenState
    let texts: [LoginField: TextField]
    let layout: LoginLayout

    func draw(on canvas: inout Canvas) {
        if let list = layout.list { drawList(on: &canvas, in: list) }
        if state.steps != nil, needsFormForSteps {
            drawSteps(on: &canvas, in: canvas.box(layout.form, title: stepsTitle).inset(left: 1, right: 1))
        } else {
            drawForm(on: &canvas)
            drawBelow(on: &canvas)
        }
        if let advice = state.advice {
            canvas.write(
                advice.fitted(to: layout.advice.columns - 1), row: 0, column: 1, in: layout.advice, .tone(.accent))
        }
    }

    /// Without space below, the steps replace the form while a log-in is in progress.
    private var needsFormForSteps: Bool {
        state.isLoggingIn && (layout.below?.rows ?? 0) < ConnectStage.allCases.count + 2
    }

    // MARK: The list

    private func drawList(on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Vehicles")
        let hasFocus = state.focus == .list
        for (row, choice) in state.choices.dropFirst(layout.firstChoice).prefix(inside.rows).enumerated() {
            let isChosen = row + layout.firstChoice == state.chosen
            let style: Style = isChosen ? (hasFocus ? .selected : .plain.adding(.bold)) : .plain
            if isChosen, hasFocus { canvas.fill(inside.inset(top: row).split(top: 1).top, " ", .selected) }
            let title = (isChosen ? "▸ " : "  ") + choice.title.sanitizedLine
            let end = canvas.write(title.fitted(to: inside.columns - 1), row: row, in: inside, style)
            let room = inside.columns - end - 3
            if room > 3 {
                let detail = choice.detail.sanitizedLine.fitted(to: room)
                canvas.writeRight(detail, row: row, margin: 1, in: inside, isChosen && hasFocus ? .selected : .muted)
            }
        }
    }

    // MARK: The form

    private func drawForm(on canvas: inout Canvas) {
        canvas.box(layout.form, title: "Log in")
        for (field, line) in layout.fields {
            let hasFocus = field == state.focus && state.dialog == nil && !state.isLoggingIn
            let label = (hasFocus ? "▸ " : "  ") + Self.label(field)
            canvas.write(label, row: 0, in: line, hasFocus ? .title : .plain)
            drawValue(of: field, on: &canvas, in: LoginLayout.value(of: line), hasFocus: hasFocus)
        }
        if let button = layout.button {
            canvas.write(
                [Canvas.Span("Enter", .plain.adding(.bold)), Canvas.Span(" log in", .plain)], row: 0,
                column: LoginLayout.labelColumns, in: button)
        }
    }

    private func drawValue(of field: LoginField, on canvas: inout Canvas, in area: ScreenArea, hasFocus: Bool) {
        switch field {
        case .list:
            let title = state.choices.indices.contains(state.chosen) ? state.choices[state.chosen].title : ""
            canvas.write(
                "‹ \(title.sanitizedLine) ›".fitted(to: area.columns), row: 0, in: area, hasFocus ? .selected : .plain)
        case .link:
            let end = canvas.write("‹ \(state.form.link.word) ›", row: 0, in: area, hasFocus ? .selected : .plain)
            let words = state.form.link == .automatic ? "udp, else tcp, else ssh" : ""
            canvas.write(words.fitted(to: area.columns - end - 2), row: 0, column: end + 2, in: area, .muted)
        case .storePassword:
            let box = state.form.storesPassword ? "[x]" : "[ ]"
            let end = canvas.write(box, row: 0, in: area, hasFocus ? .selected : .plain)
            canvas.write(" store the password".fitted(to: area.columns - end), row: 0, column: end, in: area)
        case .more:
            let box = state.form.showsMore ? "[x]" : "[ ]"
            let end = canvas.write(box, row: 0, in: area, hasFocus ? .selected : .plain)
            let words = " key file, set-up, companion"
            canvas.write(words.fitted(to: area.columns - end), row: 0, column: end, in: area)
        default: drawText(of: field, on: &canvas, in: area, hasFocus: hasFocus)
        }
    }

    private func drawText(of field: LoginField, on canvas: inout Canvas, in area: ScreenArea, hasFocus: Bool) {
        let problem = state.problem?.field == field ? state.problem?.what : nil
        // The problem is shown right of the field if there is space, and in place of the help.
        let width = min(area.columns, Self.columns(of: field))
        let text = texts[field] ?? TextField()
        text.draw(on: &canvas, in: area.split(left: width).left, hasFocus: hasFocus)
        if text.text.isEmpty, !hasFocus, let placeholder = placeholder(field) {
            canvas.write(
                placeholder.fitted(to: width), row: 0, in: area, Style(.tone(.muted), on: .standard, .underline))
        }
        if let problem {
            canvas.write(
                "✗ \(problem)".fitted(to: area.columns - width - 1), row: 0, column: width + 1, in: area, .tone(.danger)
            )
        }
    }

    private func placeholder(_ field: LoginField) -> String? {
        switch field {
        case .address: state.form.link == .only(.sim) ? "not needed" : "this machine"
        case .user: state.form.address.isEmpty ? nil : "you"
        case .password:
            state.form.address.isEmpty ? nil : state.form.usesStoredPassword ? "stored" : "SSH agent or keys"
        case .identity: state.form.address.isEmpty ? nil : "SSH agent or usual files"
        case .companion: state.form.address.isEmpty ? nil : VehicleProfile.usualCompanion
        case .port, .vehicle, .saveAs, .list, .link, .storePassword, .more, .setup: nil
        }
    }

    private static func columns(of field: LoginField) -> Int {
        switch field {
        case .port: 6
        case .vehicle: 14
        case .setup: 60
        default: 26
        }
    }

    private static func label(_ field: LoginField) -> String {
        switch field {
        case .list: "Choose"
        case .address: "Address"
        case .port: "Port"
        case .user: "User"
        case .password: "Password"
        case .vehicle: "Vehicle"
        case .link: "Link"
        case .saveAs: "Save as"
        case .storePassword, .more: ""
        case .identity: "Key file"
        case .setup: "Set-up"
        case .companion: "Companion"
        }
    }

    // MARK: Below

    private func drawBelow(on canvas: inout Canvas) {
        guard let below = layout.below else { return }
        if state.steps != nil {
            drawSteps(on: &canvas, in: canvas.box(below, title: stepsTitle).inset(left: 1, right: 1))
            return
        }
        let inside = canvas.box(below).inset(left: 1, right: 1)
        if let problem = state.problem {
            canvas.writeParagraph("✗ " + problem.what, in: inside, .tone(.danger))
        } else {
            canvas.writeParagraph(state.help, in: inside, .muted)
        }
    }

    private var stepsTitle: String {
        guard state.isLoggingIn else { return "Last log-in" }
        return state.secondsWaited > 0 ? "Logging in, \(state.secondsWaited) s: Esc cancels" : "Logging in: Esc cancels"
    }

    private func drawSteps(on canvas: inout Canvas, in area: ScreenArea) {
        for (row, step) in (state.steps?.all ?? []).enumerated() {
            let (mark, style) = Self.mark(step.state)
            canvas.write("\(mark) \(Self.title(step.stage))", row: row, in: area, style)
            let words = step.word.isEmpty ? Self.word(step.state) : step.word.sanitizedLine
            canvas.write(
                words.fitted(to: area.columns - 13), row: row, column: 13, in: area,
                step.state == .failed ? style : .muted)
        }
    }

    private static func mark(_ state: LoginStep.State) -> (String, Style) {
        switch state {
        case .pending: ("·", .muted)
        case .underWay: ("…", .title)
        case .done: ("✓", .tone(.good))
        case .skipped: ("–", .muted)
        case .failed: ("✗", .tone(.danger))
        }
    }

    private static func word(_ state: LoginStep.State) -> String {
        switch state {
        case .pending: ""
        case .underWay: "in progress"
        case .done: "done"
        case .skipped: "not needed"
        case .failed: "failed"
        }
    }

    private static func title(_ stage: ConnectStage) -> String {
        switch stage {
        case .reach: "network"
        case .hostKey: "host key"
        case .logIn: "log in"
        case .companion: "companion"
        case .ros: "ROS"
        }
    }
}
