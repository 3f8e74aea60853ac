internal import CVTerm

/// Converts between libvterm's cells and ``TerminalCell``.
enum CellTranslation {
    /// libvterm's mark for the right half of a wide character.
    private static let rightHalf = UInt32.max

    static func cell(_ cell: VTermScreenCell) -> TerminalCell {
        let style = style(cell)
        let first = cell.chars.0
        if first == rightHalf { return TerminalCell(" ", style, width: 0) }
        let width: UInt8 = cell.width == 2 ? 2 : 1
        if first < 0x7F, cell.chars.1 == 0 {
            return TerminalCell(first < 0x20 ? " " : Character(scalar(first)), style, width: width)
        }
        var text = String.UnicodeScalarView()
        for value in [first, cell.chars.1, cell.chars.2, cell.chars.3, cell.chars.4, cell.chars.5] {
            guard value != 0 else { break }
            let scalar = scalar(value)
            if isShown(scalar) {
                text.append(scalar)
            } else if text.isEmpty {
                text.append("\u{FFFD}")
            }
        }
        return TerminalCell(String(text).first ?? " ", style, width: width)
    }

    /// Converts a line of libvterm; trailing blanks, most of the cells of short lines, are not converted.
    static func line(_ cells: UnsafePointer<VTermScreenCell>, columns: Int) -> TerminalLine {
        var end = columns
        while end > 0, isBlank(cells[end - 1]) { end -= 1 }
        return TerminalLine((0..<end).map { cell(cells[$0]) })
    }

    private static func isBlank(_ cell: VTermScreenCell) -> Bool {
        cell.chars.0 == 0 && UInt32(cell.bg.type) & VTERM_COLOR_DEFAULT_BG.rawValue != 0 && cell.attrs.reverse == 0
            && cell.attrs.underline == 0 && cell.attrs.strike == 0
    }

    private static func scalar(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "\u{FFFD}" }

    /// Whether a scalar is visible; control, format and separator characters would change how the rest of the line is shown.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private static func style(_ cell: VTermScreenCell) -> TerminalStyle {
        var attributes: TerminalStyle.Attributes = []
        if cell.attrs.bold != 0 { attributes.insert(.bold) }
        if cell.attrs.italic != 0 { attributes.insert(.italic) }
        if cell.attrs.underline != 0 { attributes.insert(.underline) }
        if cell.attrs.blink != 0 { attributes.insert(.blink) }
        if cell.attrs.reverse != 0 { attributes.insert(.reverse) }
        if cell.attrs.strike != 0 { attributes.insert(.strike) }
        return TerminalStyle(color(cell.fg), on: color(cell.bg), attributes)
    }

    private static func color(_ color: VTermColor) -> TerminalColor {
        let type = UInt32(color.type)
        if type & VTERM_COLOR_DEFAULT_MASK.rawValue != 0 { return .standard }
        if type & VTERM_COLOR_TYPE_MASK.rawValue == VTERM_COLOR_INDEXED.rawValue { return .indexed(color.indexed.idx) }
        return .rgb(color.rgb.red, color.rgb.green, color.rgb.blue)
    }

    /// Converts a line of the scrollback for libvterm's screen. A wide character in the last column becomes a blank, since
    /// libvterm would write its right half past the line; no width is 0, since libvterm advances by the widths.
    static func write(_ line: TerminalLine, into cells: UnsafeMutablePointer<VTermScreenCell>, columns: Int) {
        var column = 0
        while column < columns {
            let cell = column < line.cells.count ? line.cells[column] : .blank
            let isWide = cell.width == 2 && column + 1 < columns
            cells[column] = foreign(cell.width == 2 && !isWide ? .blank : cell, width: isWide ? 2 : 1)
            if isWide { cells[column + 1] = foreign(TerminalCell(" ", cell.style), width: 1) }
            column += isWide ? 2 : 1
        }
    }

    private static func foreign(_ cell: TerminalCell, width: CChar) -> VTermScreenCell {
        var out = VTermScreenCell()
        let scalars = cell.character.unicodeScalars.prefix(6).map(\.value)
        withUnsafeMutableBytes(of: &out.chars) { bytes in
            for (index, value) in scalars.enumerated() {
                bytes.storeBytes(of: value, toByteOffset: index * 4, as: UInt32.self)
            }
        }
        out.width = width
        let attributes = cell.style.attributes
        out.attrs.bold = attributes.contains(.bold) ? 1 : 0
        out.attrs.italic = attributes.contains(.italic) ? 1 : 0
        out.attrs.underline = attributes.contains(.underline) ? 1 : 0
        out.attrs.blink = attributes.contains(.blink) ? 1 : 0
        out.attrs.reverse = attributes.contains(.reverse) ? 1 : 0
        out.attrs.strike = attributes.contains(.strike) ? 1 : 0
        out.fg = foreign(cell.style.foreground, standard: VTERM_COLOR_DEFAULT_FG)
        out.bg = foreign(cell.style.background, standard: VTERM_COLOR_DEFAULT_BG)
        return out
    }

    private static func foreign(_ color: TerminalColor, standard: VTermColorType) -> VTermColor {
        var out = VTermColor()
        switch color {
        case .standard: out.type = UInt8(truncatingIfNeeded: standard.rawValue)
        case .indexed(let index): vterm_color_indexed(&out, index)
        case .rgb(let red, let green, let blue): vterm_color_rgb(&out, red, green, blue)
        }
        return out
    }
}
