internal import CVTerm

/// A terminal as xterm is one, for a program whose bytes are not trusted: bytes in, lines of cells and answers out.
///
/// libvterm understands the sequences; everything it holds is bounded, nothing that comes in is passed on to anybody. Not
/// to be used from two threads at once.
public final class TerminalEmulator {
    /// The size.
    public private(set) var size: TerminalSize
    private let handle: VTermHandle
    private var screen: [TerminalLine]
    private var barrier = SequenceGuard()

    /// An empty terminal; `nil` when there is no memory for it.
    public init?(_ size: TerminalSize) {
        guard let handle = VTermHandle(size) else { return nil }
        self.size = size
        self.handle = handle
        screen = Array(repeating: TerminalLine(), count: size.rows)
        handle.events.answers = []
        handle.events.changed = nil
    }

    /// Takes what the program wrote; it may come in any split.
    public func feed(_ bytes: some Sequence<UInt8>) { handle.feed(barrier.pass(bytes)) }

    /// Gives it another size. Lines stay; what no longer fits goes to the scrollback, and comes back from there.
    public func resize(_ size: TerminalSize) {
        guard size != self.size else { return }
        self.size = size
        handle.resize(size)
    }

    /// What the program has asked of the terminal.
    public var modes: TerminalModes { handle.events.modes }

    /// Takes the bytes that are to go to the program: answers to what it asked, and keys.
    public func takeOutput() -> [UInt8] {
        defer { handle.events.answers.removeAll(keepingCapacity: true) }
        return handle.events.answers
    }

    /// Begins anew for another program: what the one before asked for is forgotten, what it wrote stays.
    public func beginAnew() {
        // CAN and ST end whatever sequence was under way; then the first screen, modes off, a soft reset, and a new line
        // below what is there.
        feed(
            "\u{18}\u{1B}\\\u{1B}[?1049l\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1l\u{1B}>"
                .utf8)
        let below = (handle.cursor.row + 1, lines: currentScreen().lastIndex { !$0.cells.isEmpty } ?? -1)
        feed("\u{1B}[!p\u{1B}[0m\u{1B}[?25h\u{1B}[\(max(below.0, below.lines + 1));1H\r\n".utf8)
        _ = takeOutput()
    }

    // MARK: Reading

    /// How many lines have left the screen and are kept.
    public var scrollbackCount: Int { handle.events.scrollback.count }

    /// How many lines there are in all, those that were forgotten included: the number of the line after the newest.
    public var lineCount: Int { firstScreenLine + size.rows }

    private var firstScreenLine: Int { handle.events.scrollback.forgotten + handle.events.scrollback.count }

    /// What is in view when it is so many lines above the newest ones. On the other screen there is nothing above.
    public func picture(linesBelow wanted: Int = 0) -> TerminalPicture {
        let screen = currentScreen()
        let scrollback = handle.events.scrollback
        let linesBelow = modes.usesAlternateScreen ? 0 : min(max(0, wanted), scrollback.count)
        let above = (scrollback.count - linesBelow)..<min(scrollback.count - linesBelow + size.rows, scrollback.count)
        let lines = above.map { scrollback[$0] } + screen.prefix(size.rows - above.count)
        let cursor = handle.cursor
        // With margins set libvterm 0.1.4 can put its cursor outside of the screen: found by FuzzTerminalEmulation.
        let row = max(0, cursor.row) + linesBelow
        let isInView = handle.events.isCursorVisible && row < size.rows
        return TerminalPicture(
            lines: lines,
            cursor: isInView ? .init(row: row, column: max(0, min(cursor.column, size.columns - 1))) : nil,
            firstLine: firstScreenLine - linesBelow, linesBelow: linesBelow)
    }

    /// The number of the nearest line that holds a text, whatever its case: upwards from before `line`, or downwards from
    /// after it.
    public func find(_ text: String, from line: Int, upwards: Bool) -> Int? {
        guard !text.isEmpty else { return nil }
        let first = modes.usesAlternateScreen ? firstScreenLine : handle.events.scrollback.forgotten
        let screen = currentScreen()
        let scrollback = handle.events.scrollback
        func at(_ number: Int) -> TerminalLine {
            number < firstScreenLine ? scrollback[number - scrollback.forgotten] : screen[number - firstScreenLine]
        }
        let all = first..<lineCount
        let start = min(max(line, first - 1), lineCount)
        return upwards
            ? all.prefix { $0 < start }.last { !at($0).places(of: text).isEmpty }
            : all.drop { $0 <= start }.first { !at($0).places(of: text).isEmpty }
    }

    private func currentScreen() -> [TerminalLine] {
        let changed = handle.events.changed ?? 0..<size.rows
        if screen.count != size.rows { screen = Array(repeating: TerminalLine(), count: size.rows) }
        for row in changed.clamped(to: 0..<size.rows) { screen[row] = handle.line(row, columns: size.columns) }
        handle.events.changed = 0..<0
        return screen
    }

    // MARK: Typing

    /// Turns a key into bytes for ``takeOutput()``, as the program's modes want it.
    public func press(_ key: TerminalKey) {
        if let bytes = key.fixedBytes { return append(bytes) }
        guard let code = Self.code(key.key) else { return }
        handle.key(code, Self.modifier(key.modifiers))
    }

    /// Whether the program wants to be told where pasted text begins and ends.
    public var wantsBracketedPaste: Bool { probe { handle.beginPaste() }.isEmpty == false }

    /// Whether the program wants the cursor keys in their other form.
    public var wantsApplicationCursorKeys: Bool {
        probe { handle.key(VTERM_KEY_UP, VTERM_MOD_NONE) } == Array("\u{1B}OA".utf8)
    }

    /// Turns pasted text into bytes for ``takeOutput()``: line ends as Enter sends them, without any other control
    /// character, so that it cannot end the paste by itself.
    public func paste(_ text: String) {
        handle.beginPaste()
        var bytes: [UInt8] = []
        for character in text {
            if character.isNewline {
                bytes.append(0x0D)
            } else if character == "\t"
                || character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            {
                bytes += character.utf8
            }
        }
        append(bytes)
        handle.endPaste()
    }

    /// Turns what the mouse did into bytes for ``takeOutput()``; none when the program has not asked for it.
    public func mouse(_ event: TerminalMouse) {
        guard modes.mouse != .none else { return }
        let row = min(max(0, event.row), size.rows - 1)
        let column = min(max(0, event.column), size.columns - 1)
        let modifiers = Self.modifier(event.modifiers)
        handle.mouseMove(row: row, column: column, modifiers)
        switch event.action {
        case .move: break
        case .press: handle.mouseButton(event.button % 3 + 1, isPressed: true, modifiers)
        case .release: handle.mouseButton(event.button % 3 + 1, isPressed: false, modifiers)
        case .wheelUp: handle.mouseButton(4, isPressed: true, modifiers)
        case .wheelDown: handle.mouseButton(5, isPressed: true, modifiers)
        }
    }

    /// Pasted text and keys are bounded by who sends them, not as answers are.
    private func append(_ bytes: [UInt8]) { handle.events.answers += bytes }

    /// The bytes that something gives, without sending them.
    private func probe(_ body: () -> Void) -> [UInt8] {
        let before = handle.events.answers
        handle.events.answers = []
        body()
        defer { handle.events.answers = before }
        return handle.events.answers
    }

    private static func modifier(_ modifiers: TerminalKey.Modifiers) -> VTermModifier {
        VTermModifier(UInt32(truncatingIfNeeded: modifiers.rawValue & 7))
    }

    private static func code(_ key: TerminalKey.Key) -> VTermKey? {
        switch key {
        case .delete: VTERM_KEY_DEL
        case .insert: VTERM_KEY_INS
        case .up: VTERM_KEY_UP
        case .down: VTERM_KEY_DOWN
        case .left: VTERM_KEY_LEFT
        case .right: VTERM_KEY_RIGHT
        case .home: VTERM_KEY_HOME
        case .end: VTERM_KEY_END
        case .pageUp: VTERM_KEY_PAGEUP
        case .pageDown: VTERM_KEY_PAGEDOWN
        case .function(let number) where (1...12).contains(number):
            VTermKey(VTERM_KEY_FUNCTION_0.rawValue + UInt32(number))
        case .character, .enter, .tab, .backspace, .escape, .function: nil
        }
    }
}
