internal import FlightControl
internal import ModeKit
internal import TextScreen

/// The command palette: every action, found by typing a part of its name; flight commands take their arguments behind it. What is not
/// possible now says why, and what another screen does opens that.
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

    var field = TextField()
    /// The position in the list of matches that was chosen with the arrows; `nil` before.
    var chosen: Int?
    /// Why the line was not accepted.
    var mistake = ""
    /// The number of lines above the first one that is shown of what stands below the list.
    var hintScroll = 0

    /// An empty line.
    init() {}

    /// The line.
    var line: String { field.text }

    /// A line that could not be carried out, with the reason.
    ///
    /// - Parameter last: the line that was run last.
    init(_ refused: RefusedLine, last: String) {
        field.set(refused.text ?? last)
        mistake = refused.reason
    }

    // MARK: Keys

    mutating func handle(_ key: KeyEvent, _ items: [PaletteItem]) -> Outcome {
        guard key.phase != .release else { return .ignored }
        let matches = matches(items)
        let selected = selected(matches, of: items)
        hintScroll = 0
        switch (key.key, key.modifiers) {
        case (.escape, []), (.character("c"), .control): return .close
        // As on every screen: stopping comes first.
        case (.character(" "), []) where field.text.isEmpty: return .run(.send(.hover))
        case (.up, []), (.character("p"), .control): return select(by: -1, from: selected, of: matches.count)
        case (.down, []), (.character("n"), .control): return select(by: 1, from: selected, of: matches.count)
        // A held Enter must not run what comes next.
        case (.enter, []): return key.phase == .press ? choose(selected.map { matches[$0] }, of: items) : .ignored
        case (.tab, []): return complete(selected.map { matches[$0] })
        default:
            guard field.handle(key) else { return .ignored }
            (chosen, mistake) = (nil, "")
            return .changed
        }
    }

    /// Inserts a pasted text.
    mutating func paste(_ text: String) {
        field.insert(text)
        (chosen, mistake, hintScroll) = (nil, "", 0)
    }

    private mutating func select(by step: Int, from selected: Int?, of count: Int) -> Outcome {
        guard count > 0 else { return .ignored }
        let next = min(max(0, selected.map { $0 + step } ?? 0), count - 1)
        chosen = next
        return next == selected ? .ignored : .changed
    }

    private mutating func choose(_ item: PaletteItem?, of items: [PaletteItem]) -> Outcome {
        guard let item else {
            mistake = obstacle(items) ?? "no action contains '\(field.text.fitted(to: 60))'"
            return .changed
        }
        guard case .line(let command) = item.effect else { return .run(item.effect) }
        guard runs(item) else { return complete(item) }
        do {
            return .run(.send(try command.intent(of: field.text)))
        } catch {
            mistake = error.text
            return .changed
        }
    }

    /// Whether Enter runs an action, and does not put its name into the line first.
    private func runs(_ item: PaletteItem) -> Bool {
        guard case .line(let command) = item.effect else { return true }
        return TypedCommand(beginning: field.text) == command && (!command.needsArguments || field.text.contains(" "))
    }

    /// The keys that act on the line as it is, for the line below the screen: of one that means nothing Enter runs nothing.
    func keys(_ items: [PaletteItem]) -> [KeyHelp] {
        let matches = matches(items)
        let enter = selected(matches, of: items).map { KeyHelp("Enter", runs(matches[$0]) ? "run" : "complete") }
        return [enter, KeyHelp("Esc", "close")].compactMap(\.self)
    }

    /// The same and all others, in a sentence: `Enter runs it, Tab completes, ↑ ↓ choose, Esc closes`; in fewer words where that is
    /// wider than `width`.
    ///
    /// - Parameter scrolls: whether not all of what stands below the list fits.
    func keyWords(_ items: [PaletteItem], scrolls: Bool, width: Int) -> String {
        let matches = matches(items)
        let selected = selected(matches, of: items).map { matches[$0] }
        var words = scrolls ? ["PgUp PgDn scroll"] : []
        if let selected {
            words.append(runs(selected) ? "Enter runs it" : "Enter completes")
            if runs(selected), isCompleted(by: selected) { words.append("Tab completes") }
        }
        if matches.count > (selected == nil ? 0 : 1) { words.append("↑ ↓ choose") }
        let sentence = (words + ["Esc closes"]).joined(separator: ", ")
        guard sentence.cells > width else { return sentence }
        return [(" it,", ","), (" choose", ""), (" closes", "")].reduce(sentence) { $0.replacing($1.0, with: $1.1) }
            .shortened(to: width)
    }

    /// Puts the name of a command with arguments into the line.
    private mutating func complete(_ item: PaletteItem?) -> Outcome {
        guard let item, isCompleted(by: item) else { return .ignored }
        switch item.effect {
        case .line(let command): field.set(command.rawValue + " ")
        default: field.set(item.title)
        }
        (chosen, mistake) = (nil, "")
        return .changed
    }

    /// Whether its name is not in the line yet. What stands behind the name already is the user's.
    private func isCompleted(by item: PaletteItem) -> Bool {
        guard case .line(let command) = item.effect else { return field.text != item.title }
        return TypedCommand(beginning: field.text) != command || !field.text.contains(" ")
    }

    // MARK: Matches

    /// The possible actions among those that the line means.
    func matches(_ items: [PaletteItem]) -> [PaletteItem] { meant(items).filter { $0.obstacle == nil } }

    /// The position of the action that Enter runs: the chosen one, else the first. `nil` if there is none, or if the line means first of all
    /// one that is not possible now: another one further down is not what the user expects.
    func selected(_ matches: [PaletteItem], of items: [PaletteItem]) -> Int? {
        guard let last = matches.indices.last else { return nil }
        if let chosen { return min(chosen, last) }
        return obstacle(items) == nil ? 0 : nil
    }

    /// The actions that contain every typed word, the best first (``rank(_:)``); of a command with arguments, only that one.
    /// Refused keys come behind what acts, then what has no effect, unless its whole name is typed, and then the other screens.
    private func meant(_ items: [PaletteItem]) -> [PaletteItem] {
        let line = field.text.lowercased()
        if line.contains(" "), let command = TypedCommand(beginning: line) {
            let named = items.filter { $0.effect == .line(command) }
            guard named.contains(where: \.isIdle) else { return named }
            // What it began goes on: what ends that is listed, with the reason where it was to begin once more.
            let others = items.filter { !$0.isIdle && Self.contains([Substring(command.rawValue)], $0) }
            return line.split(separator: " ").count > 1 ? named + others : others
        }
        // No action has so long a name, and searching for the text in each of them at every key would take long.
        guard line.utf8.count <= Self.longestName else { return [] }
        let words = line.split(separator: " ")
        let found = items.filter { item in
            words.isEmpty ? !item.isIdle && item.place.isEmpty : Self.contains(words, item)
        }
        let name = words.joined(separator: " ")
        let acts = found.contains { $0.isListed }
        let isNamedElsewhere = found.contains { isElsewhere($0) }
        func isElsewhere(_ item: PaletteItem) -> Bool {
            !item.place.isEmpty && item.obstacle == nil && item.title.lowercased() == name
        }
        func order(_ item: PaletteItem) -> Int {
            guard item.place.isEmpty else { return isElsewhere(item) ? 2 : 5 }
            if item.title.lowercased() == name { return 0 }
            if item.isIdle { return 4 }
            // What acts is not kept from being run by a key that does not, or by what only has such a word in its name; nor is what
            // has that very name on another screen, unless the line begins the name of the key.
            let waits = item.isRefusedKey ? acts || (isNamedElsewhere && rank(item) > 0) : acts && rank(item) > 1
            return waits && item.obstacle != nil ? 3 : 1
        }
        return (0...5).flatMap { (place: Int) -> [PaletteItem] in
            let part = found.filter { order($0) == place }
            return (0...Self.lowestRank).flatMap { wanted in part.filter { rank($0) == wanted } }
        }
    }

    /// Longer than the longest name of an action, bytes.
    private static let longestName = 256

    /// That of an action that only contains what was typed, anywhere.
    private static let lowestRank = 3

    /// 0 for an action that begins with the line, 1 for one that begins with its first word, 2 where any word begins with that.
    private func rank(_ item: PaletteItem) -> Int {
        let (title, words) = (item.title.lowercased(), field.text.lowercased().split(separator: " "))
        guard let first = words.first else { return 0 }
        if title.hasPrefix(words.joined(separator: " ")) { return 0 }
        if title.hasPrefix(first) { return 1 }
        return title.split(separator: " ").contains { $0.hasPrefix(first) } ? 2 : Self.lowestRank
    }

    private static func contains(_ words: [Substring], _ item: PaletteItem) -> Bool {
        let text = (item.place.isEmpty ? "\(item.title) \(item.keys)" : item.title).lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// Why the action that the line means first of all is not possible now, with its name where the line does not begin that; `nil` if it
    /// is, or if it means none.
    func obstacle(_ items: [PaletteItem]) -> String? {
        let meant = meant(items)
        guard !field.text.isBlank, let first = meant.first, let obstacle = first.obstacle else { return nil }
        // A few letters somewhere in its arguments do not mean it.
        guard rank(first) < Self.lowestRank || meant.allSatisfy({ $0.obstacle != nil }) else { return nil }
        return rank(first) == 0 ? obstacle : "\(obstacle) (\(first.name))"
    }
}
