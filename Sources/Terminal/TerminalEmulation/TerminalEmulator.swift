internal import CVTerm

/// An emulator of an xterm-like terminal for an untrusted program: bytes in, lines of cells and answers out.
///
/// libvterm interprets the sequences. All state is bounded, and no input is forwarded to the user's terminal. Not
/// thread-safe.
package final class TerminalEmulator {
    package private(set) var size: TerminalSize
    private let handle: VTermHandle
    private var screen: [TerminalLine]
    private var barrier = SequenceFilter()

    /// Creates an empty terminal; `nil` when memory cannot be allocated.
    package init?(_ size: TerminalSize) {
        guard let handle = VTermHandle(size) else { return nil }
        self.size = size
        self.handle = handle
        screen = Array(repeating: TerminalLine(), count: size.rows)
        handle.events.answers = []
        handle.events.changed = nil
    }

    /// Processes the program's output; bytes may arrive in any split.
    package func feed(_ bytes: some Sequence<UInt8>) { handle.feed(barrier.pass(bytes)) }

    /// Changes the size. Lines that no longer fit are moved to the scrollback, and back when the terminal grows.
    package func resize(_ size: TerminalSize) {
        guard size != self.size else { return }
        self.size = size
        handle.resize(size)
    }

    /// The modes set by the program.
    package var modes: TerminalModes { handle.events.modes }

    /// Removes and returns the bytes to send to the program: answers to its queries, keys, pasted text and mouse reports.
    package func takeOutput() -> [UInt8] {
        defer { handle.events.answers.removeAll(keepingCapacity: true) }
        return handle.events.answers
    }

    /// Prepares the terminal for another program: resets the modes and keeps the content.
    package func beginAnew() {
        // CAN and ST abort a sequence in progress; then the primary screen, modes off, a soft reset, and a new line below the
        // content.
        feed(
            "\u{18}\u{1B}\\\u{1B}[?1049l\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1l\u{1B}>"
                .utf8)
        let below = (handle.cursor.row + 1, lines: currentScreen().lastIndex { !$0.cells.isEmpty } ?? -1)
        feed("\u{1B}[!p\u{1B}[0m\u{1B}[?25h\u{1B}[\(max(below.0, below.lines + 1));1H\r\n".utf8)
        _ = takeOutput()
    }

    // MARK: Reading

    /// The number of all lines so far, dropped ones included: the number of the line after the newest.
    package var lineCount: Int { firstScreenLine + size.rows }

    private var firstScreenLine: Int { handle.events.scrollback.forgotten + handle.events.scrollback.count }

    /// The view scrolled back by `wanted` lines. The alternate screen has no scrollback.
    package func picture(linesBelow wanted: Int = 0) -> TerminalSnapshot {
        let screen = currentScreen()
        let scrollback = handle.events.scrollback
        let linesBelow = modes.usesAlternateScreen ? 0 : min(max(0, wanted), scrollback.count)
        let above = (scrollback.count - linesBelow)..<min(scrollback.count - linesBelow + size.rows, scrollback.count)
        let lines = above.map { scrollback[$0] } + screen.prefix(size.rows - above.count)
        let cursor = handle.cursor
        // With margins set, libvterm 0.1.4 can move its cursor off the screen (found by FuzzTerminalEmulation).
        let row = max(0, cursor.row) + linesBelow
        let isInView = handle.events.isCursorVisible && row < size.rows
        return TerminalSnapshot(
            lines: lines,
            cursor: isInView ? .init(row: row, column: max(0, min(cursor.column, size.columns - 1))) : nil,
            firstLine: firstScreenLine - linesBelow, linesBelow: linesBelow)
    }

    /// The number of the nearest line that contains a text, ignoring case: searched upwards from before `line`, or downwards
    /// from after it.
    package func find(_ text: String, from line: Int, upwards: Bool) -> Int? {
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

    // MARK: Input

    /// Encodes a key for ``takeOutput()``, according to the program's modes.
    package func press(_ key: TerminalKey) {
        if let bytes = key.fixedBytes { return append(bytes) }
        guard let code = Self.code(key.key) else { return }
        handle.key(code, Self.modifier(key.modifiers))
    }

    /// Whether the program has enabled bracketed paste.
    package var wantsBracketedPaste: Bool { probe { handle.beginPaste() }.isEmpty == false }

    /// Encodes pasted text for ``takeOutput()``: line ends become carriage returns, and control characters except tab are
    /// removed, so that the text cannot end the bracketed paste.
    package func paste(_ text: String) {
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

    /// Encodes a mouse event for ``takeOutput()``; ignored when the program has not enabled mouse reports.
    package func mouse(_ event: TerminalMouse) {
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

    /// Appends input of the user, which is not subject to the bound on answers.
    private func append(_ bytes: [UInt8]) { handle.events.answers += bytes }

    /// The bytes that `body` would send, without sending them.
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
