internal import CVTerm

/// The state collected from libvterm's callbacks.
final class VTermEvents {
    /// The most bytes of answers kept until they are fetched: a program that sends queries without reading must not exhaust
    /// the memory.
    static let mostAnswers = 64 * 1024
    /// The longest title kept, characters.
    static let longestTitle = 256

    var scrollback = Scrollback()
    var modes = TerminalModes()
    var answers: [UInt8] = []
    var isCursorVisible = true
    /// The rows changed since the last read; `nil` for all.
    var changed: Range<Int>?
    private var titlePieces: [UInt8] = []

    func change(_ rows: Range<Int>) {
        // `nil` already means all rows.
        guard let before = changed else { return }
        guard !before.isEmpty else { return changed = rows }
        changed = min(before.lowerBound, rows.lowerBound)..<max(before.upperBound, rows.upperBound)
    }

    func answer(_ bytes: UnsafeRawBufferPointer) {
        guard answers.count + bytes.count <= Self.mostAnswers else { return }
        answers.append(contentsOf: bytes)
    }

    func title(_ piece: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool) {
        if isFirst { titlePieces = [] }
        titlePieces += piece.prefix(max(0, 4 * Self.longestTitle - titlePieces.count))
        guard isLast else { return }
        let shown = String(decoding: titlePieces, as: UTF8.self).unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        modes.title = String(String(String.UnicodeScalarView(shown)).prefix(Self.longestTitle))
    }
}

/// The sole owner of libvterm's handle and callbacks.
final class VTermHandle {
    let events = VTermEvents()
    private let terminal: OpaquePointer
    private let screen: OpaquePointer
    private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>

    /// Creates a terminal; `nil` when memory cannot be allocated.
    init?(_ size: TerminalSize) {
        guard let terminal = vterm_new(Int32(size.rows), Int32(size.columns)) else { return nil }
        guard let screen = vterm_obtain_screen(terminal) else {
            vterm_free(terminal)
            return nil
        }
        self.terminal = terminal
        self.screen = screen
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: Self.callbacks)
        let user = Unmanaged.passUnretained(events).toOpaque()
        vterm_set_utf8(terminal, 1)
        vterm_output_set_callback(terminal, { VTermHandle.answer($0, $1, $2) }, user)
        vterm_screen_set_callbacks(screen, callbacks, user)
        vterm_screen_enable_altscreen(screen, 1)
        vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_ROW)
        vterm_screen_reset(screen, 1)
    }

    deinit {
        vterm_free(terminal)
        callbacks.deallocate()
    }

    /// The most bytes per write: libvterm decodes a run of text on its stack, four bytes per character.
    private static let longestWrite = 16 * 1024

    /// Processes complete characters and sequences.
    func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var begin = 0
            while begin < buffer.count {
                var end = min(begin + Self.longestWrite, buffer.count)
                // Not split within a character: the decoder writes out of bounds when anything else follows a partial one.
                while end < buffer.count, end > begin + 1, buffer[end] & 0xC0 == 0x80 { end -= 1 }
                let piece = UnsafeRawBufferPointer(rebasing: buffer[begin..<end])
                _ = vterm_input_write(terminal, piece.bindMemory(to: CChar.self).baseAddress, piece.count)
                begin = end
            }
        }
        vterm_screen_flush_damage(screen)
    }

    func resize(_ size: TerminalSize) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        vterm_get_size(terminal, &rows, &columns)
        vterm_set_size(terminal, Int32(size.rows), Int32(size.columns))
        clampCursor(size, hasLostLines: size.rows < Int(rows))
        vterm_screen_flush_damage(screen)
        events.changed = nil
    }

    /// When the screen loses lines, libvterm 0.1.4 may leave its cursor above the screen and crash on the next character, and a
    /// scrolling region beyond the screen makes it write out of bounds. So the region is reset, and the cursor is moved to the
    /// nearest position on the screen.
    private func clampCursor(_ size: TerminalSize, hasLostLines: Bool) {
        let (row, column) = cursor
        let isOutside = !(0..<size.rows).contains(row) || !(0..<size.columns).contains(column)
        guard hasLostLines || isOutside else { return }
        let place = (min(max(row, 0), size.rows - 1) + 1, min(max(column, 0), size.columns - 1) + 1)
        feed(Array("\u{1B}[r\u{1B}[\(place.0);\(place.1)H".utf8))
    }

    func line(_ row: Int, columns: Int) -> TerminalLine {
        var cells: [TerminalCell] = []
        cells.reserveCapacity(columns)
        var cell = VTermScreenCell()
        for column in 0..<columns {
            guard vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell) != 0 else {
                break
            }
            cells.append(CellTranslation.cell(cell))
        }
        return TerminalLine(cells)
    }

    var cursor: (row: Int, column: Int) {
        var position = VTermPos()
        vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
        return (Int(position.row), Int(position.col))
    }

    func key(_ key: VTermKey, _ modifiers: VTermModifier) { vterm_keyboard_key(terminal, key, modifiers) }
    func beginPaste() { vterm_keyboard_start_paste(terminal) }
    func endPaste() { vterm_keyboard_end_paste(terminal) }

    func mouseMove(row: Int, column: Int, _ modifiers: VTermModifier) {
        vterm_mouse_move(terminal, Int32(row), Int32(column), modifiers)
    }

    func mouseButton(_ button: Int, isPressed: Bool, _ modifiers: VTermModifier) {
        vterm_mouse_button(terminal, Int32(button), isPressed, modifiers)
    }

    // MARK: Callbacks

    private static func events(_ user: UnsafeMutableRawPointer?) -> VTermEvents? {
        user.map { Unmanaged<VTermEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func answer(_ bytes: UnsafePointer<CChar>?, _ count: Int, _ user: UnsafeMutableRawPointer?) {
        events(user)?.answer(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }

    private static let callbacks: VTermScreenCallbacks = {
        // Assigned one by one, since later versions have more callbacks.
        var callbacks = VTermScreenCallbacks()
        callbacks.damage = { rect, user in
            VTermHandle.events(user)?.change(Int(rect.start_row)..<max(Int(rect.start_row), Int(rect.end_row)))
            return 1
        }
        callbacks.settermprop = { property, value, user in
            guard let value, let events = VTermHandle.events(user) else { return 0 }
            return VTermHandle.set(property, value, events)
        }
        callbacks.bell = { user in
            VTermHandle.events(user)?.modes.bells &+= 1
            return 1
        }
        callbacks.sb_pushline = { columns, cells, user in
            guard let cells, let events = VTermHandle.events(user) else { return 0 }
            events.scrollback.push(CellTranslation.line(cells, columns: Int(columns)))
            return 1
        }
        callbacks.sb_popline = { columns, cells, user in
            guard let cells, let line = VTermHandle.events(user)?.scrollback.pop() else { return 0 }
            CellTranslation.write(line, into: cells, columns: Int(columns))
            return 1
        }
        return callbacks
    }()

    private static func set(
        _ property: VTermProp, _ value: UnsafeMutablePointer<VTermValue>, _ events: VTermEvents
    ) -> Int32 {
        switch property {
        case VTERM_PROP_CURSORVISIBLE: events.isCursorVisible = value.pointee.boolean != 0
        case VTERM_PROP_ALTSCREEN:
            events.modes.usesAlternateScreen = value.pointee.boolean != 0
            events.changed = nil
        case VTERM_PROP_MOUSE: events.modes.mouse = .init(rawValue: Int(value.pointee.number)) ?? .none
        case VTERM_PROP_TITLE:
            var (length, isFirst, isLast) = (0, false, false)
            let text = cvterm_title(value, &length, &isFirst, &isLast)
            events.title(
                UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : length), isFirst: isFirst, isLast: isLast)
        default: break
        }
        return 1
    }
}
