package import ModeKit
package import TextScreen

/// The menu: a list of modes.
@MainActor
package final class MenuScreen: MenuView, Screen {
    /// Called when the screen must be redrawn.
    package var needsFrame: (() -> Void)?
    private var state = MenuScreenState()
    private var area = ScreenArea(rows: 0, columns: 0)
    private var dialog = DialogLayer()
    private let send: (MenuIntent) -> Void

    /// Creates a screen; `send` receives the user's intents.
    package init(send: @escaping (MenuIntent) -> Void) { self.send = send }

    package func show(_ state: MenuScreenState) {
        guard state != self.state else { return }
        self.state = state
        dialog.show(nil, state.confirmation)
        needsFrame?()
    }

    /// The keys and their actions.
    package var keys: [KeyHelp] {
        let last = min(9, state.items.count)
        let logOut = state.allowsLogOut ? [KeyHelp("o", "log out")] : []
        return dialog.help ?? [
            KeyHelp(last > 1 ? "1-\(last)" : "1", "open"), KeyHelp("↑ ↓ Enter", "choose"),
            KeyHelp("n", "log in to another vehicle"),
        ] + logOut + [KeyHelp("q", "quit")]
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

    /// Handles a terminal event; `false` when it has no meaning here.
    package func handle(_ event: InputEvent) -> Bool {
        if let outcome = dialog.handle(event) { return answer(outcome, event) }
        if case .mouse(let mouse) = event { return handle(mouse) }
        guard case .key(let key) = event, key.phase != .release else { return false }
        switch (key.key, key.modifiers) {
        case (.up, []), (.character("k"), []): send(.move(-1))
        case (.down, []), (.character("j"), []), (.tab, []): send(.move(1))
        case (.enter, []): send(.open)
        case (.character("n"), []): send(.logIn)
        case (.character("o"), []): send(.logOut)
        case (.character("q"), []): send(.quit)
        case (.character(let character), []):
            guard let number = character.wholeNumberValue, number > 0 else { return false }
            send(.openItem(number - 1))
        default: return false
        }
        return true
    }

    private func answer(_ outcome: DialogLayer.Outcome, _ event: InputEvent) -> Bool {
        switch outcome {
        case .confirm: send(.confirm)
        case .decline:
            send(.decline)
            // Whatever a question takes Space for, it hovers too.
            return !event.isSpace
        case .edited: needsFrame?()
        case .swallowed: break
        case .force, .answer, .complete, .cancel, .ignored: return false
        }
        return true
    }

    /// A click opens an entry, the wheel moves to the next one.
    private func handle(_ mouse: MouseEvent) -> Bool {
        switch mouse.action {
        case .wheelUp: send(.move(-1))
        case .wheelDown: send(.move(1))
        case .press where mouse.button == 0:
            let inside = list(in: area).inset(top: 1, left: 1, bottom: 1, right: 1)
            let (row, rest) = (mouse.row - inside.row).quotientAndRemainder(dividingBy: step(in: area))
            let index = row + window(in: area).first
            guard inside.contains(row: mouse.row, column: mouse.column), rest == 0,
                window(in: area).shown.contains(index)
            else { return false }
            send(.openItem(index))
        default: return false
        }
        return true
    }

    /// The rows of an entry: a blank one follows each if there is space for all.
    private func step(in area: ScreenArea) -> Int { state.items.count * 2 + 4 <= area.rows ? 2 : 1 }

    private func list(in area: ScreenArea) -> ScreenArea {
        let rows = state.items.count * step(in: area) + 4 + max(0, notes(in: area).count - 1)
        return area.centred(rows: rows, columns: width(in: area))
    }

    /// As wide as the longest line needs, if there is space for it.
    private func width(in area: ScreenArea) -> Int {
        let longest = state.items.map(\.note.count).max() ?? 0
        return min(area.columns, max(70, explanationColumn + longest + 3))
    }

    /// The column of the explanations within the frame.
    private var explanationColumn: Int { 6 + (state.items.map(\.title.count).max() ?? 0) }

    /// The lines below the entries: the selected one's explanation, if it is cut beside its title, and the advice.
    private func notes(in area: ScreenArea) -> [String] {
        let columns = width(in: area) - 2
        var notes: [String] = []
        if state.items.indices.contains(state.selected) {
            let text = state.items[state.selected].note
            if text.count > columns - explanationColumn - 1 { notes += text.wrapped(to: columns - 2) }
        }
        return notes + advice(in: area)
    }

    /// Those of them for which there is space; two entries stay.
    private func shownNotes(in area: ScreenArea) -> [String] {
        let notes = notes(in: area)
        let advice = advice(in: area)
        let available = max(0, list(in: area).rows - 2 - 2)
        guard notes.count > available else { return notes }
        // The advice is whole; the explanation is marked where it is cut.
        let explanation = notes.dropLast(advice.count).joined(separator: " ")
        let rest = max(0, available - advice.count)
        let columns = width(in: area) - 4
        return explanation.wrapped(to: columns, atMost: rest).filter { !$0.isEmpty } + advice.prefix(available)
    }

    private func advice(in area: ScreenArea) -> [String] {
        state.advice?.wrapped(to: width(in: area) - 4) ?? []
    }

    /// The entries that are shown.
    private func window(in area: ScreenArea) -> ListWindow {
        let step = step(in: area)
        // The last entry has no blank row after it.
        let rows = (list(in: area).rows - 2 - shownNotes(in: area).count + step - 1) / step
        return ListWindow(count: state.items.count, rows: rows, around: state.selected)
    }

    /// Draws the last screen state.
    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        let inside = canvas.box(list(in: area), title: "What do you want to do?")
        let column = explanationColumn
        let window = window(in: area)
        for index in window.shown {
            let (item, isSelected) = (state.items[index], index == state.selected)
            let row = (index - window.first) * step(in: area)
            if isSelected {
                canvas.fill(inside.inset(top: row).split(top: 1).top, " ", .selected)
            }
            let style: Style = isSelected ? .selected : item.obstacle == nil ? .plain : .muted
            let isBold = isSelected || item.obstacle == nil
            canvas.write(" \(index + 1)  \(item.title)", row: row, in: inside, isBold ? style.adding(.bold) : style)
            canvas.write(
                item.note.shortened(to: inside.columns - column - 1), row: row, column: column, in: inside, style)
        }
        canvas.drawMarks(of: window, on: list(in: area))
        let notes = shownNotes(in: area)
        for (index, note) in notes.enumerated() {
            canvas.write(note, row: inside.rows - notes.count + index, column: 1, in: inside, .tone(.accent))
        }
        dialog.draw(on: &canvas, in: area)
    }
}

extension MenuItem {
    /// What stands beside its title.
    fileprivate var note: String { obstacle ?? explanation }
}
