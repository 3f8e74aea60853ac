internal import FlightControl
internal import ModeKit
internal import TextScreen

/// The help: the keys of the current screen and the global ones, and the notices so far, which scroll, and are filtered by what is
/// typed.
struct HelpOverlay {
    /// What a key did to the help.
    enum Outcome: Equatable {
        /// It closes the help.
        case close
        /// What is shown has changed.
        case changed
        /// Nothing.
        case ignored
    }

    /// The keys that act on every screen; with the action of those that can have a further key.
    private static var always: [(help: KeyHelp, effect: PaletteItem.Effect?)] {
        [
            (KeyHelp("F7, Space", "hover (Space except in text fields)"), .send(.hover)),
            (KeyHelp("F8", "emergency landing, after confirmation"), .send(.emergencyLand)),
            (KeyHelp("F12", "request, take over or release control"), .send(.takeCommand)),
            (KeyHelp("F2, :", "command: flight commands, other screens, every action by its name"), .palette),
            (KeyHelp("F6", "next vehicle"), .send(.nextVehicle)),
            (KeyHelp("F5", "command all vehicles, after confirmation"), .send(.commandAll)),
            (KeyHelp("F1, ?", "this help, with all messages so far"), .help), (KeyHelp("Esc", "back"), nil),
            (
                KeyHelp("Alt-1 to Alt-0", "F1 to F10 where the terminal takes those (over a shell Alt-7, 8, 9 only)"),
                nil
            ),
            (KeyHelp("Ctrl-L", "redraw the screen"), nil), (KeyHelp("Ctrl-Z", "stop motion and suspend"), nil),
            (KeyHelp("F10, Ctrl-C", "quit"), .send(.quit)),
        ]
    }

    /// The keys that act on every screen, as they do now: without a vehicle there is nothing to stop, and a shell gets what it needs.
    ///
    /// - Parameters:
    ///   - isShell: whether keys belong to a shell.
    ///   - takesText: whether letters are text input on the open screen.
    ///   - isHome: whether Esc leads nowhere from the open screen, or its own keys say where.
    ///   - further: the keys that the configuration file gives to an action; they stand beside its usual ones.
    static func everywhere(
        vehicle: VehicleBar?, isShell: Bool, takesText: Bool = false, isHome: Bool = false,
        further: (PaletteItem.Effect) -> [String] = { _ in [] }
    ) -> [KeyHelp] {
        var without = isHome ? ["Esc"] : []
        if vehicle == nil { without += ["F7, Space", "F8"] }
        if vehicle?.hasEmergency == false { without.append("F8") }
        if vehicle?.hasControlAuthority != true { without.append("F12") }
        // With one vehicle there is no other to select or to command.
        if vehicle?.position.isEmpty != false { without += ["F6", "F5"] }
        let ofShell = ["Esc", "Ctrl-L", "Ctrl-Z"]
        let others: [String: String] =
            isShell
            ? ["F7, Space": "F7", "F1, ?": "F1", "F2, :": "Shift-F2", "F10, Ctrl-C": "F10"]
            : takesText ? ["F7, Space": "F7", "F1, ?": "F1", "F2, :": "F2"] : [:]
        var all: [KeyHelp] = []
        for (help, effect) in always where !without.contains(help.keys) && !(isShell && ofShell.contains(help.keys)) {
            let keys = others[help.keys] ?? help.keys
            // Of a key that is not listed nothing is said.
            var action = keys == "F7" ? "hover" : help.action
            if help.keys == "F7, Space", let vehicle { action.replace("hover", with: vehicle.stopAction) }
            if help.keys == "F8", let vehicle { action = "\(vehicle.emergencyAction), after confirmation" }
            let added = effect.map { further($0) } ?? []
            all.append(KeyHelp(([keys] + added).joined(separator: ", "), action))
        }
        return all
    }

    /// What the help shows.
    struct Content {
        /// The keys of the current screen.
        var keys: [KeyHelp]
        /// What the screen's lines are too short for, whole.
        var details: [KeyHelp] = []
        /// The keys that act on every screen.
        var everywhere: [KeyHelp] = []
        /// The notices so far, newest first.
        var history: [PastNotice] = []
    }

    /// A line as drawn: a title, a key with what it does, or the rest of that.
    private struct Line {
        var keys = ""
        var text = ""
        var isTitle = false
    }

    private var filter = ""
    /// The first line shown.
    private var top = 0

    // MARK: Keys

    /// Letters filter, arrows and page keys scroll, everything else closes.
    ///
    /// - Parameters:
    ///   - content: what it shows.
    ///   - area: where it is drawn.
    mutating func handle(_ key: KeyEvent, _ content: Content, in area: ScreenArea) -> Outcome {
        guard key.phase != .release else { return .ignored }
        let page = max(1, Self.capacity(Self.layout(lines(content, width: Self.width(area)), in: area)))
        switch (key.key, key.modifiers) {
        case (.up, []): return scroll(to: top - 1, content, area)
        case (.down, []): return scroll(to: top + 1, content, area)
        case (.pageUp, []): return scroll(to: top - page, content, area)
        case (.pageDown, []): return scroll(to: top + page, content, area)
        case (.home, []): return scroll(to: 0, content, area)
        case (.end, []): return scroll(to: .max, content, area)
        case (.backspace, []):
            guard !filter.isEmpty else { return .ignored }
            filter.removeLast()
        case (.character("u"), .control):
            guard !filter.isEmpty else { return .ignored }
            filter = ""
        default:
            // A held key repeats: only a press closes.
            guard let text = key.text, !text.isEmpty, text != "?", key.modifiers.subtracting(.shift).isEmpty
            else { return key.phase == .press ? .close : .ignored }
            guard filter.count + text.count <= Self.longestFilter else { return .ignored }
            filter += text
        }
        top = 0
        return .changed
    }

    /// The keys that act in it now.
    func keys(_ content: Content, in area: ScreenArea) -> [KeyHelp] {
        let lines = lines(content, width: Self.width(area))
        let isCut = lines.count > Self.capacity(Self.layout(lines, in: area))
        return (isCut ? [KeyHelp("↑ ↓", "scroll")] : [])
            + (filter.isEmpty ? [] : [KeyHelp("Ctrl-U", "clear the filter")])
            + [KeyHelp("Esc", "close the help")]
    }

    private mutating func scroll(to wanted: Int, _ content: Content, _ area: ScreenArea) -> Outcome {
        let lines = lines(content, width: Self.width(area))
        let last = max(0, lines.count - Self.capacity(Self.layout(lines, in: area)))
        let next = min(max(0, wanted), last)
        defer { top = next }
        return next == top ? .ignored : .changed
    }

    // MARK: Lines

    /// Where the texts begin.
    private static let textColumn = 14
    /// The longest filter, characters.
    private static let longestFilter = 20

    /// A line that does not fit is continued, not cut.
    private func lines(_ content: Content, width: Int) -> [Line] {
        let past = content.history.map { KeyHelp($0.time, $0.notice.text) }
        let sections = [
            ("This screen", content.keys), ("What it shows", content.details), ("Everywhere", content.everywhere),
            ("Messages, with the time since the start", past),
        ].map { ($0.0, matching($0.1, in: $0.0)) }.filter { !$0.1.isEmpty }
        guard !sections.isEmpty || filter.isEmpty else { return nothingFound(width: width) }
        var lines: [Line] = []
        for (title, keys) in sections {
            lines += title.wrapped(to: max(1, width)).map { Line(text: $0, isTitle: true) }
            for help in keys {
                let words = help.keys.wrapped(to: Self.textColumn - 1)
                let texts = help.action.wrapped(to: max(1, width - Self.textColumn))
                for row in 0..<max(words.count, texts.count) {
                    lines.append(
                        Line(keys: row < words.count ? words[row] : "", text: row < texts.count ? texts[row] : ""))
                }
            }
        }
        return lines
    }

    /// That nothing contains what was typed, and how to go on.
    private func nothingFound(width: Int) -> [Line] {
        ["no key matches '\(filter)'", "", "Backspace removes the last letter of the filter, Ctrl-U all of it."]
            .flatMap { $0.wrapped(to: max(1, width)) }.map { Line(keys: $0) }
    }

    /// Those that contain what was typed; all of them if their title does.
    private func matching(_ keys: [KeyHelp], in title: String) -> [KeyHelp] {
        let wanted = filter.lowercased()
        return wanted.isEmpty || title.lowercased().contains(wanted)
            ? keys : keys.filter { "\($0.keys) \($0.action)".lowercased().contains(wanted) }
    }

    // MARK: Drawing

    private static let widest = 76

    /// The columns for a line.
    private static func width(_ area: ScreenArea) -> Int { max(1, min(area.columns, widest) - 4) }

    private static func layout(_ lines: [Line], in area: ScreenArea) -> ScreenArea {
        // The box, and the line that says what the keys do.
        area.centred(rows: min(area.rows, lines.count + 3), columns: min(area.columns, widest))
    }

    private static func capacity(_ box: ScreenArea) -> Int { max(0, box.rows - 3) }

    func draw(_ content: Content, on canvas: inout Canvas, in area: ScreenArea) {
        let lines = lines(content, width: Self.width(area))
        let box = Self.layout(lines, in: area)
        let window = ListWindow(count: lines.count, rows: Self.capacity(box), first: top)
        let shown = lines[window.shown]
        canvas.fill(box)
        let title = filter.isEmpty ? "Keys" : "Keys with '\(filter)'"
        let inside = canvas.box(box, title: title, .tone(.accent)).inset(left: 1, right: 1)
        for (row, line) in shown.enumerated() {
            if line.isTitle {
                canvas.write(line.text, row: row, in: inside, .tone(.accent))
            } else {
                canvas.write(line.keys, row: row, in: inside, .title)
                canvas.write(line.text, row: row, column: Self.textColumn, in: inside)
            }
        }
        let place = "\(window.first + 1)-\(window.shown.upperBound) of \(lines.count)"
        canvas.write(
            keyWords(place: shown.count < lines.count ? place : nil, width: inside.columns), row: inside.rows - 1,
            in: inside, .muted)
        canvas.drawMarks(of: window, on: box)
    }

    /// What the keys do, in as many words as there is space for: how much is above and below stands on the frame too.
    ///
    /// - Parameter place: the lines that are shown; `nil` if all are.
    private func keyWords(place: String?, width: Int) -> String {
        let short = filter.isEmpty ? "letters filter" : "Ctrl-U clears"
        let filtering = filter.isEmpty ? short : "\(short) the filter"
        let forms: [String] = [
            (place.map { "\($0), ↑ ↓ scroll, " } ?? "") + "\(filtering), Esc closes",
            (place.map { "\($0) ↑ ↓, " } ?? "") + "\(short), Esc",
            (place == nil ? "" : "↑ ↓, ") + "\(short), Esc",
        ]
        return forms.first { $0.cells <= width } ?? forms[2].shortened(to: width)
    }
}
