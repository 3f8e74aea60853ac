/// The colours that a terminal supports.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
    /// None (`NO_COLOR`, `TERM=dumb`, `vt100`): attributes only.
    case none
    /// The 16 colours of the terminal.
    case sixteen
    /// The 256 colours of xterm.
    case indexed
    /// 24-bit colours.
    case full

    /// Determines the depth from the environment: `NO_COLOR`, `COLORTERM`, `TERM`.
    public init(environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        if !(environment["NO_COLOR"] ?? "").isEmpty || ["", "dumb", "vt100", "vt220"].contains(term) {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct") {
            self = .full
        } else if term.contains("256color") || term.contains("kitty") || term.contains("alacritty") {
            self = .indexed
        } else {
            self = .sixteen
        }
    }
}

/// Encodes the difference between consecutive canvases as terminal output.
///
/// Each frame is enclosed in synchronised output (private mode 2026), so that no partial frame is visible; terminals without
/// it ignore the sequences.
public struct Painter: Sendable {
    private let appearance: Appearance
    private var shown: Canvas?

    /// Creates a painter for a terminal with unknown screen content.
    public init(_ appearance: Appearance) { self.appearance = appearance }

    /// Discards the known screen content, so that the next frame is painted completely: after a resize, a suspend, or the use
    /// of the terminal by another program.
    public mutating func invalidate() { shown = nil }

    /// The bytes that display a canvas; empty when it is displayed already.
    public mutating func frame(_ canvas: Canvas) -> [UInt8] {
        let next = appearance.isASCII ? ASCIISpelling.spelled(canvas) : canvas
        if shown == next { return [] }
        var out = Output(appearance)
        out.text("\u{1B}[?2026h\u{1B}[?25l")
        let before = shown?.size == next.size ? shown : nil
        if before == nil { out.text("\u{1B}[0m\u{1B}[H\u{1B}[2J") }
        paint(next, over: before, into: &out)
        out.reset()
        if let cursor = next.cursor { out.text("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h") }
        out.text("\u{1B}[?2026l")
        shown = next
        return out.bytes
    }

    private func paint(_ next: Canvas, over before: Canvas?, into out: inout Output) {
        let width = next.size.columns
        let blank = Cell()
        for row in 0..<next.size.rows {
            var at: Int?
            for column in 0..<width {
                let index = row * width + column
                let cell = next.cells[index]
                let known = before.map { $0.cells[index] } ?? blank
                guard cell != known, cell.character != Cell.continuation else { continue }
                if at != column { out.text("\u{1B}[\(row + 1);\(column + 1)H") }
                out.use(cell.style)
                out.character(cell.character)
                // After the last column the cursor position differs between terminals.
                let after = column + cell.character.cells
                at = after < width ? after : nil
            }
        }
    }

    /// The bytes of a frame, and the terminal's current style.
    private struct Output {
        let appearance: Appearance
        var bytes: [UInt8] = []
        private var style = Style.plain

        init(_ appearance: Appearance) { self.appearance = appearance }

        mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }
        mutating func character(_ character: Character) {
            guard appearance.isASCII else { return bytes.append(contentsOf: character.utf8) }
            bytes.append(contentsOf: ASCIIText.replacement(of: character).utf8)
        }

        mutating func reset() { use(.plain) }

        mutating func use(_ next: Style) {
            guard next != style else { return }
            style = next
            var codes = "0"
            let attributes: [(Style.Attributes, Int)] = [
                (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.blink, 5), (.reverse, 7), (.strike, 9),
            ]
            for (attribute, code) in attributes where next.attributes.contains(attribute) { codes += ";\(code)" }
            if appearance.depth != .none {
                codes += ColorCode.parameters(next.foreground, isBackground: false, appearance)
                codes += ColorCode.parameters(next.background, isBackground: true, appearance)
            }
            text("\u{1B}[\(codes)m")
        }
    }
}

/// The SGR parameters of colours.
enum ColorCode {
    /// Parameters such as `;38;5;n`; empty for the terminal's default colour.
    static func parameters(_ color: Color, isBackground: Bool, _ appearance: Appearance) -> String {
        let depth = appearance.depth
        switch color {
        case .standard: return ""
        case .tone(let tone):
            let look = Palette.look(tone, appearance.theme)
            switch depth {
            case .none: return ""
            case .sixteen: return basic(look.basic, isBackground)
            case .indexed: return ";\(isBackground ? 48 : 38);5;\(look.indexed)"
            case .full: return ";\(isBackground ? 48 : 38);2;\(look.red);\(look.green);\(look.blue)"
            }
        case .indexed(let number):
            if number < 16 { return basic(number, isBackground) }
            return depth == .sixteen ? "" : ";\(isBackground ? 48 : 38);5;\(number)"
        case .rgb(let red, let green, let blue):
            switch depth {
            case .none, .sixteen: return ""
            case .indexed: return ";\(isBackground ? 48 : 38);5;\(nearest(red, green, blue))"
            case .full: return ";\(isBackground ? 48 : 38);2;\(red);\(green);\(blue)"
            }
        }
    }

    private static func basic(_ number: UInt8, _ isBackground: Bool) -> String {
        let base = isBackground ? (number < 8 ? 40 : 100) : (number < 8 ? 30 : 90)
        return ";\(base + Int(number & 7))"
    }

    /// The nearest colour of xterm's 6x6x6 cube (16 to 231).
    private static func nearest(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        let step = { (value: UInt8) in value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }
}
