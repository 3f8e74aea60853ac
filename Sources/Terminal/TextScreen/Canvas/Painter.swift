/// What colours a terminal can show.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
    /// None (`NO_COLOR`, `TERM=dumb`, `vt100`): attributes only.
    case none
    /// The terminal's sixteen.
    case sixteen
    /// xterm's 256.
    case indexed
    /// Any.
    case full

    /// What the environment says: `NO_COLOR`, `COLORTERM`, `TERM`.
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

/// Turns canvases into the bytes that bring a terminal from the one before to the next: only what differs is sent.
///
/// A frame goes out between the marks of synchronised output (private mode 2026), which terminals that do not know it
/// ignore; so no half-drawn frame is ever seen where the terminal has it.
public struct Painter: Sendable {
    private let depth: ColorDepth
    private var shown: Canvas?

    /// A painter for a terminal of which nothing is known to be on the screen.
    public init(depth: ColorDepth) { self.depth = depth }

    /// Forgets what is on the screen, so that the next frame paints all of it: after a resize, a suspend, or another
    /// program's use of the terminal.
    public mutating func invalidate() { shown = nil }

    /// The bytes that show `next`; none when it is shown already.
    public mutating func frame(_ next: Canvas) -> [UInt8] {
        if shown == next { return [] }
        var out = Output(depth: depth)
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
                // The last column leaves the cursor in a place on which terminals disagree.
                let after = column + cell.character.cells
                at = after < width ? after : nil
            }
        }
    }

    /// Bytes under way, and the style that the terminal is in.
    private struct Output {
        let depth: ColorDepth
        var bytes: [UInt8] = []
        private var style = Style.plain

        init(depth: ColorDepth) { self.depth = depth }

        mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }
        mutating func character(_ character: Character) { bytes.append(contentsOf: character.utf8) }

        mutating func reset() { use(.plain) }

        mutating func use(_ next: Style) {
            guard next != style else { return }
            style = next
            var codes = "0"
            let attributes: [(Style.Attributes, Int)] = [
                (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.blink, 5), (.reverse, 7), (.strike, 9),
            ]
            for (attribute, code) in attributes where next.attributes.contains(attribute) { codes += ";\(code)" }
            if depth != .none {
                codes += ColorCode.parameters(next.foreground, isBackground: false, depth)
                codes += ColorCode.parameters(next.background, isBackground: true, depth)
            }
            text("\u{1B}[\(codes)m")
        }
    }
}

/// The numbers by which a terminal is told a colour.
enum ColorCode {
    /// `;38;5;n` and the like; empty for the terminal's own colour.
    static func parameters(_ color: Color, isBackground: Bool, _ depth: ColorDepth) -> String {
        switch color {
        case .standard: return ""
        case .tone(let tone):
            let look = Palette.look(tone)
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

    /// The nearest of the 6x6x6 cube that xterm's colours 16 to 231 are.
    private static func nearest(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        let step = { (value: UInt8) in value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }
}

/// What tones look like: Okabe and Ito's palette, whose colours people with any of the common colour blindnesses tell
/// apart (Color Universal Design, 2008).
enum Palette {
    struct Look {
        var basic: UInt8
        var indexed: UInt8
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    static func look(_ tone: Tone) -> Look {
        switch tone {
        case .accent: Look(basic: 14, indexed: 74, red: 86, green: 180, blue: 233)
        case .good: Look(basic: 2, indexed: 36, red: 0, green: 158, blue: 115)
        case .warning: Look(basic: 11, indexed: 178, red: 230, green: 159, blue: 0)
        case .danger: Look(basic: 9, indexed: 166, red: 213, green: 94, blue: 0)
        case .muted: Look(basic: 8, indexed: 245, red: 138, green: 138, blue: 138)
        case .second: Look(basic: 13, indexed: 175, red: 204, green: 121, blue: 167)
        }
    }
}
