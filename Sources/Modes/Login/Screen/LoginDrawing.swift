internal import ModeKit
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
            drawSteps(on: &canvas, in: layout.form)
        } else {
            drawForm(on: &canvas)
            drawBelow(on: &canvas)
        }
        drawFoot(on: &canvas)
    }

    /// Whether keys act on the list and the form: a dialog takes them, and during a log-in nothing can be changed.
    private var takesKeys: Bool { state.dialog == nil && !state.isLoggingIn }

    /// The first text is shortened if necessary, the second one is shown only where all of it fits.
    private func drawFoot(on canvas: inout Canvas) {
        let foot = layout.foot
        var row = 0
        for (text, style) in footTexts where !text.isEmpty {
            let lines = text.wrapped(to: foot.columns, atMost: row == 0 ? foot.rows : .max)
            guard row + lines.count <= foot.rows else { return }
            for line in lines {
                canvas.write(line, row: row, in: foot, style)
                row += 1
            }
        }
    }

    /// The problem with a field and its help stand here only if there is no box for them, or the steps of a log-in are in it.
    private var footTexts: [(String, Style)] {
        let advice = (state.advice ?? "", Style.tone(.accent))
        guard takesKeys, layout.below == nil || state.steps != nil else { return [advice] }
        if let problem = state.problem { return [("✗ \(problem.what)", .tone(.danger))] }
        let help = (state.help, Style.muted)
        return state.focus == .list ? [advice, help] : [help, advice]
    }

    /// Without space below, the steps replace the form while a log-in is in progress.
    private var needsFormForSteps: Bool {
        state.isLoggingIn && (layout.below?.rows ?? 0) < ConnectStage.allCases.count + 2
    }

    // MARK: The list

    private func drawList(on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(area, title: "Vehicles")
        let hasFocus = state.focus == .list && takesKeys
        for (row, index) in layout.choices.shown.enumerated() {
            let (choice, isChosen) = (state.choices[index], index == state.chosen)
            let style: Style = isChosen ? (hasFocus ? .selected : .plain.adding(.bold)) : .plain
            if isChosen, hasFocus { canvas.fill(inside.inset(top: row).split(top: 1).top, " ", .selected) }
            // Without colours too, one sees which of list and form has the focus: only one of them has the triangle.
            let title = (isChosen ? (hasFocus ? "▸ " : "• ") : "  ") + choice.title.sanitizedLine
            let end = canvas.write(title.fitted(to: inside.columns - 1), row: row, in: inside, style)
            let available = inside.columns - end - 3
            if available > 0 {
                let detail = choice.detail.sanitizedLine.fitted(to: available)
                canvas.writeRight(detail, row: row, margin: 1, in: inside, isChosen && hasFocus ? .selected : .muted)
            }
        }
        canvas.drawMarks(of: layout.choices, on: area)
    }

    // MARK: The form

    private func drawForm(on canvas: inout Canvas) {
        canvas.box(layout.form, title: "Log in")
        for (field, line) in layout.fields {
            let hasFocus = field == state.focus && takesKeys
            let label = (hasFocus ? "▸ " : "  ") + Self.label(field)
            canvas.write(label, row: 0, in: line, hasFocus ? .title : .plain)
            drawValue(of: field, on: &canvas, in: LoginLayout.value(of: line), hasFocus: hasFocus)
        }
        if let button = layout.button {
            canvas.write(
                [Canvas.Span("Enter", .plain.adding(.bold)), Canvas.Span(" log in", .plain)], row: 0,
                column: LoginLayout.labelColumns, in: button)
        }
        canvas.drawMarks(of: layout.fieldWindow, on: layout.form)
    }

    private func drawValue(of field: LoginField, on canvas: inout Canvas, in area: ScreenArea, hasFocus: Bool) {
        switch field {
        case .list:
            let title = state.choices.indices.contains(state.chosen) ? state.choices[state.chosen].title : ""
            let place = placeOfChosen
            let available = max(0, area.columns - place.cells - 4)
            let end = canvas.write(
                "‹ \(title.sanitizedLine.fitted(to: available)) ›", row: 0, in: area, hasFocus ? .selected : .plain)
            canvas.write(place, row: 0, column: end, in: area, .muted)
        case .link:
            let end = canvas.write("‹ \(state.form.link.word) ›", row: 0, in: area, hasFocus ? .selected : .plain)
            let words = state.form.link == .automatic ? "udp, else tcp, else ssh" : ""
            canvas.write(words.shortened(to: area.columns - end - 2), row: 0, column: end + 2, in: area, .muted)
        case .storePassword:
            let box = state.form.storesPassword ? "[x]" : "[ ]"
            let end = canvas.write(box, row: 0, in: area, hasFocus ? .selected : .plain)
            canvas.write(" store the password".shortened(to: area.columns - end), row: 0, column: end, in: area)
        case .more:
            let box = state.form.showsMore ? "[x]" : "[ ]"
            let end = canvas.write(box, row: 0, in: area, hasFocus ? .selected : .plain)
            let words = " key file, set-up, companion"
            canvas.write(words.shortened(to: area.columns - end), row: 0, column: end, in: area)
        default: drawText(of: field, on: &canvas, in: area, hasFocus: hasFocus)
        }
    }

    private func drawText(of field: LoginField, on canvas: inout Canvas, in area: ScreenArea, hasFocus: Bool) {
        let problem = state.problem?.field == field ? state.problem?.what : nil
        // The problem is shown right of the field if there is space, and in place of the help.
        let width = width(of: field, in: area.columns)
        let text = texts[field] ?? TextField()
        text.draw(on: &canvas, in: area.split(left: width).left, hasFocus: hasFocus)
        if text.text.isEmpty, !hasFocus, let placeholder = placeholder(field) {
            canvas.write(
                placeholder.shortened(to: width), row: 0, in: area, Style(.tone(.muted), on: .standard, .underline))
        }
        if let problem {
            canvas.write(
                "✗ \(problem)".shortened(to: area.columns - width - 1), row: 0, column: width + 1, in: area,
                .tone(.danger))
        }
    }

    private func placeholder(_ field: LoginField) -> String? {
        switch field {
        case .address: LoginText.emptyAddress(state.form, isOther: state.isOther)
        case .user: state.form.address.isEmpty ? nil : "you"
        case .password:
            state.form.address.isEmpty ? nil : state.form.usesStoredPassword ? "stored" : "SSH agent or keys"
        case .identity: state.form.address.isEmpty ? nil : "SSH agent or usual files"
        case .companion: state.form.address.isEmpty ? nil : VehicleProfile.usualCompanion
        case .port, .vehicle, .saveAs, .list, .link, .storePassword, .more, .setup: nil
        }
    }

    /// The width of a field: all there is, but of a port, and beside a problem, which is to be seen with the text that it is about.
    private func width(of field: LoginField, in columns: Int) -> Int {
        let usual = field == .port ? 6 : field == .vehicle ? 14 : 26
        guard field == .port || state.problem?.field == field else { return columns }
        return min(columns, max(usual, (texts[field]?.text.cells ?? 0) + 1))
    }

    // MARK: The help

    /// What list and form have no space for, whole, by label: for the help. Never a password.
    var details: [KeyHelp] {
        let columns = valueColumns
        let fields: [KeyHelp] = state.form.fields.compactMap { field -> KeyHelp? in
            guard field.isText, field != .password, let text = texts[field]?.text else { return nil }
            // The cursor behind the text has a cell too.
            return text.cells < width(of: field, in: columns) ? nil : KeyHelp(Self.label(field), text.sanitizedLine)
        }
        let entries = state.choices.indices.filter(isCut).map { index in
            let words = [state.choices[index].title, state.choices[index].detail].filter { !$0.isEmpty }
            return KeyHelp("Vehicles", words.joined(separator: ", ").sanitizedLine)
        }
        return entries + fields
    }

    private var valueColumns: Int { LoginLayout.value(of: layout.form.inset(left: 2, right: 2)).columns }

    /// Whether there is no space for all of an entry; in a narrow area only the chosen one is shown, without its detail.
    private func isCut(_ index: Int) -> Bool {
        guard let list = layout.list else {
            let cells = state.choices[index].title.sanitizedLine.cells
            return index == state.chosen && cells > valueColumns - placeOfChosen.cells - 4
        }
        return LoginLayout.cells(of: state.choices[index]) > list.columns - 2
    }

    private var placeOfChosen: String { "  \(state.chosen + 1) of \(state.choices.count)" }

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
        guard state.steps == nil else { return drawSteps(on: &canvas, in: below) }
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

    /// What does not fit after a log-in is among the messages.
    private func drawSteps(on canvas: inout Canvas, in frame: ScreenArea) {
        guard let steps = state.steps else { return }
        let inside = canvas.box(frame, title: stepsTitle).inset(left: 1, right: 1)
        let (isCut, window) = LoginStepsDrawing(steps).draw(on: &canvas, in: inside)
        if state.isLoggingIn {
            canvas.drawMarks(of: window, on: frame)
        } else if isCut {
            canvas.writeRight(" F1: all of it ", row: frame.rows - 1, margin: 2, in: frame, .title)
        }
    }
}
