internal import ModeKit
internal import TextScreen

/// The command palette: every action that is possible now, found by typing a part of its name; flight commands take their
/// arguments behind it.
struct PaletteOverlay {
    /// What a key did to the palette.
    enum Outcome: Equatable {
        /// It closes the palette.
        case close
        /// It closes the palette, and this is to be done.
        case run(PaletteItem.Effect)
        /// What is shown has changed.
        case changed
        /// Nothing.
        case ignored
    }

    private var field = TextField()
    /// The position in the list of matches.
    private var selected = 0
    /// Why the line was not accepted.
    private var mistake = ""

    /// An empty line.
    init() {}

    /// A line that could not be carried out, with the reason.
    init(_ refused: RefusedLine) {
        field.set(refused.text)
        mistake = refused.reason
    }

    // MARK: Keys

    mutating func handle(_ key: KeyEvent, _ items: [PaletteItem]) -> Outcome {
        guard key.phase != .release else { return .ignored }
        let matches = matches(items)
        switch (key.key, key.modifiers) {
        case (.escape, []), (.character("c"), .control): return .close
        // As on every screen: stopping comes first.
        case (.character(" "), []) where field.text.isEmpty: return .run(.send(.hover))
        case (.up, []), (.character("p"), .control): return select(selected - 1, of: matches.count)
        case (.down, []), (.character("n"), .control): return select(selected + 1, of: matches.count)
        // A held Enter must not run what comes next.
        case (.enter, []): return key.phase == .press ? choose(matches, of: items) : .ignored
        case (.tab, []): return complete(matches)
        default:
            guard field.handle(key) else { return .ignored }
            (selected, mistake) = (0, "")
            return .changed
        }
    }

    /// Inserts a pasted text.
    mutating func paste(_ text: String) {
        field.insert(text)
        (selected, mistake) = (0, "")
    }

    private mutating func select(_ wanted: Int, of count: Int) -> Outcome {
        let next = min(max(0, wanted), max(0, count - 1))
        defer { selected = next }
        return next == selected ? .ignored : .changed
    }

    private mutating func choose(_ matches: [PaletteItem], of items: [PaletteItem]) -> Outcome {
        guard matches.indices.contains(selected) else {
            mistake = obstacle(items) ?? "no action contains '\(field.text)'"
            return .changed
        }
        guard case .line(let command) = matches[selected].effect else { return .run(matches[selected].effect) }
        guard TypedCommand(beginning: field.text) == command, !command.needsArguments || field.text.contains(" ") else {
            return complete(matches)
        }
        do {
            return .run(.send(try command.intent(of: field.text)))
        } catch {
            mistake = error.text
            return .changed
        }
    }

    /// Puts the name of a command with arguments into the line.
    private mutating func complete(_ matches: [PaletteItem]) -> Outcome {
        guard matches.indices.contains(selected) else { return .ignored }
        switch matches[selected].effect {
        // What stands behind the name already is the user's.
        case .line(let command) where TypedCommand(beginning: field.text) == command && field.text.contains(" "):
            return .ignored
        case .line(let command): field.set(command.rawValue + " ")
        default: field.set(matches[selected].title)
        }
        (selected, mistake) = (0, "")
        return .changed
    }

    // MARK: Matches

    /// The actions that contain every typed word, those that begin with the first one before the others; of a command with
    /// arguments, only that one.
    private func matches(_ items: [PaletteItem]) -> [PaletteItem] {
        let items = items.filter { $0.obstacle == nil }
        let line = field.text.lowercased()
        if line.contains(" "), let command = TypedCommand(beginning: line) {
            return items.filter { $0.effect == .line(command) }
        }
        let words = line.split(separator: " ")
        let found = items.filter { item in
            item.isIdle ? item.title == words.joined(separator: " ") : Self.contains(words, item)
        }
        guard let first = words.first else { return found }
        let begin = found.filter { $0.title.lowercased().hasPrefix(first) }
        return begin + found.filter { !$0.title.lowercased().hasPrefix(first) }
    }

    private static func contains(_ words: [Substring], _ item: PaletteItem) -> Bool {
        let text = "\(item.title) \(item.keys)".lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// Why the action that the line means is not possible now; `nil` if it means none of those.
    private func obstacle(_ items: [PaletteItem]) -> String? {
        let line = field.text.lowercased()
        let words = line.split(separator: " ")
        guard !words.isEmpty else { return nil }
        let command = TypedCommand(beginning: line)
        return items.first { item in
            guard item.obstacle != nil else { return false }
            return command.map { item.effect == .line($0) } ?? Self.contains(words, item)
        }?.obstacle
    }

    // MARK: Drawing

    private static let widest = 76
    private static let keyColumn = 12

    func draw(_ items: [PaletteItem], on canvas: inout Canvas, in area: ScreenArea) {
        let matches = matches(items)
        let box = area.centred(
            rows: min(area.rows, items.count { $0.isListed } + 5), columns: min(area.columns, Self.widest))
        canvas.fill(box)
        let inside = canvas.box(box, title: "Command", .tone(.accent)).inset(left: 1, right: 1)
        canvas.write(":", row: 0, in: inside, .title)
        field.draw(on: &canvas, in: inside.split(top: 1).top.inset(left: 2), hasFocus: true)
        let (words, style) = hint(matches, of: items)
        let hints = words.wrapped(to: max(1, inside.columns)).filter { !$0.isEmpty }
        // The line itself, the hints, and what its keys do.
        let available = max(1, inside.rows - 2 - max(1, hints.count))
        let window = ListWindow(count: matches.count, rows: available, around: selected)
        for index in window.shown {
            let (item, isSelected, row) = (matches[index], index == selected, index - window.first + 1)
            canvas.write(isSelected ? "›" : " ", row: row, in: inside, .title)
            let width = max(1, inside.columns - 2 - (item.keys.isEmpty ? 0 : Self.keyColumn))
            canvas.write(
                item.title.shortened(to: width), row: row, column: 2, in: inside,
                isSelected ? Style.plain.adding(.bold) : .plain)
            canvas.writeRight(item.keys.fitted(to: Self.keyColumn - 1), row: row, in: inside, .title)
        }
        canvas.drawMarks(of: window, on: box)
        for (row, line) in hints.enumerated() {
            canvas.write(line, row: inside.rows - 1 - hints.count + row, in: inside, style)
        }
        canvas.write(
            "Enter runs it, Tab completes, ↑ ↓ choose, Esc closes".shortened(to: inside.columns), row: inside.rows - 1,
            in: inside, .muted)
    }

    /// What is wrong with the line, or what the chosen command takes.
    private func hint(_ matches: [PaletteItem], of items: [PaletteItem]) -> (String, Style) {
        if !mistake.isEmpty { return ("! \(mistake)", .tone(.warning)) }
        guard matches.indices.contains(selected) else { return (obstacle(items) ?? "no such action", .muted) }
        guard case .line(let command) = matches[selected].effect else { return ("", .muted) }
        return (command.hint, .muted)
    }
}
