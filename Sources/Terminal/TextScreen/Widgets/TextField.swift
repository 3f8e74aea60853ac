/// An editable line of text with the keys of readline; a value type, so that tests can use it directly.
public struct TextField: Hashable, Sendable {
    /// The longest text, characters.
    public static let longest = 4096

    /// The text.
    public private(set) var text: String
    /// The cursor position in characters.
    public private(set) var cursor: Int
    /// Whether the whole text is selected: what is typed replaces it.
    public private(set) var isSelected = false
    /// Whether the last text did not fit as a whole; the field says so until the next key.
    public private(set) var isCut = false
    /// Whether the text is displayed as dots.
    public let isSecret: Bool

    /// Creates a field with the cursor at the end of the text.
    public init(_ text: String = "", isSecret: Bool = false) {
        self.text = String(text.prefix(Self.longest))
        self.isSecret = isSecret
        cursor = self.text.count
        isCut = self.text.utf8.count < text.utf8.count
    }

    /// Replaces the text and moves the cursor to its end.
    public mutating func set(_ text: String) { self = TextField(text, isSecret: isSecret) }

    /// Selects the whole text until the next key.
    public mutating func selectAll() { isSelected = !text.isEmpty }

    /// Handles a key; returns whether it was used.
    @discardableResult
    public mutating func handle(_ event: KeyEvent) -> Bool {
        guard event.phase != .release else { return false }
        if isSelected, [.backspace, .delete].contains(event.key), event.modifiers.isEmpty {
            set("")
            return true
        }
        switch (event.key, event.modifiers) {
        case (.left, []), (.character("b"), .control): cursor = max(0, cursor - 1)
        case (.right, []), (.character("f"), .control): cursor = min(text.count, cursor + 1)
        case (.home, []), (.character("a"), .control): cursor = 0
        case (.end, []), (.character("e"), .control): cursor = text.count
        case (.left, .control), (.character("b"), .alt): cursor = wordStart
        case (.right, .control), (.character("f"), .alt): cursor = wordEnd
        case (.backspace, []): remove(from: cursor - 1, to: cursor)
        case (.delete, []), (.character("d"), .control): remove(from: cursor, to: cursor + 1)
        case (.character("u"), .control): remove(from: 0, to: cursor)
        case (.character("k"), .control): remove(from: cursor, to: text.count)
        case (.character("w"), .control), (.backspace, .alt): remove(from: wordStart, to: cursor)
        default:
            guard let typed = event.text, event.modifiers.subtracting(.shift).isEmpty else { return false }
            insert(typed)
            return true
        }
        (isSelected, isCut) = (false, false)
        return true
    }

    /// Inserts text at the cursor, or in place of the selected text: its first line only, without control characters.
    public mutating func insert(_ typed: String) {
        if isSelected { set("") }
        let line = typed.prefix { !$0.isNewline }.filter { character in
            character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        let piece = line.prefix(max(0, Self.longest - text.count))
        isCut = piece.utf8.count < line.utf8.count
        let before = text.prefix(cursor) + piece
        text = String(before + text.dropFirst(cursor))
        // The inserted text may combine with its neighbours to one character, for example a combining accent.
        cursor = min(before.count, text.count)
    }

    private mutating func remove(from start: Int, to end: Int) {
        let (start, end) = (max(0, start), min(text.count, end))
        guard start < end else { return }
        let from = text.index(text.startIndex, offsetBy: start)
        text.removeSubrange(from..<text.index(from, offsetBy: end - start))
        cursor = min(start, text.count)
    }

    private var wordStart: Int {
        let characters = Array(text)
        var at = cursor
        while at > 0, characters[at - 1] == " " { at -= 1 }
        while at > 0, characters[at - 1] != " " { at -= 1 }
        return at
    }

    private var wordEnd: Int {
        let characters = Array(text)
        var at = cursor
        while at < characters.count, characters[at] == " " { at += 1 }
        while at < characters.count, characters[at] != " " { at += 1 }
        return at
    }

    /// Draws the field into the first line of an area, scrolled to keep the cursor visible, with `…` where text is left out;
    /// with `hasFocus` it places the terminal's cursor. Only what is shown is measured, so that a frame does not take longer
    /// because much was typed.
    public func draw(on canvas: inout Canvas, in area: ScreenArea, hasFocus: Bool) {
        let end = text.index(text.startIndex, offsetBy: cursor)
        var (first, offset) = (end, 0)
        while first > text.startIndex {
            let before = text.index(before: first)
            let cells = isSecret ? 1 : text[before].cells
            guard offset + cells < area.columns else { break }
            (first, offset) = (before, offset + cells)
        }
        // One character more than fits, to know whether there is one.
        let seen = text[first...].prefix(max(0, area.columns) + 1)
        let shown = isSecret ? String(repeating: "•", count: seen.count) : String(seen)
        let style = hasFocus ? Style(.standard, .underline) : Style(.tone(.muted), on: .standard, .underline)
        canvas.fill(ScreenArea(row: area.row, column: area.column, rows: 1, columns: area.columns), " ", style)
        let look: Style = isSelected && hasFocus ? .selected : style
        canvas.write(shown, row: 0, in: area, look)
        // Never where the cursor stands; and dots say nothing anyway.
        if !isSecret, first > text.startIndex, offset > 0 { canvas.write("…", row: 0, in: area, look) }
        let last = area.columns - 1
        if !isSecret, last > 0, seen.cells > area.columns, offset < last || !hasFocus {
            canvas.write("…", row: 0, column: last, in: area, look)
        }
        if isCut, hasFocus {
            canvas.writeRight(Self.cut.fitted(to: max(0, area.columns - 1)), row: 0, in: area, .tone(.warning))
        }
        if hasFocus {
            canvas.cursor = (area.row, area.column + min(offset, max(0, area.columns - 1)))
        }
    }

    private static let cut = " cut at \(longest) characters"
}
