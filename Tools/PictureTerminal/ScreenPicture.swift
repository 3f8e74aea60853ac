import TerminalEmulation

/// A screen as SVG: one text element for each run of cells with the same style, stretched to its columns, so that every font fits.
struct ScreenPicture {
    private let lines: [TerminalLine]
    private let columns: Int
    private let title: String

    private static let (cellWidth, cellHeight, margin, bar) = (8.4, 17.0, 12.0, 26.0)
    private static let (ink, paper) = ("#d8dade", "#16181b")

    init(_ lines: [TerminalLine], columns: Int, title: String) {
        (self.lines, self.columns, self.title) = (lines, columns, title)
    }

    var svg: String {
        let width = Double(columns) * Self.cellWidth + 2 * Self.margin
        let height = Double(lines.count) * Self.cellHeight + 2 * Self.margin + Self.bar
        var out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.text(width)) \(Self.text(height))\" "
        out +=
            "role=\"img\" aria-label=\"\(Self.escaped(title))\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" "
        out += "font-size=\"14\">\n<title>\(Self.escaped(title))</title>\n"
        out += "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"\(Self.paper)\"/>\n"
        for (number, color) in ["#ff5f57", "#febc2e", "#28c840"].enumerated() {
            out += "<circle cx=\"\(18 + 18 * number)\" cy=\"16\" r=\"5\" fill=\"\(color)\"/>\n"
        }
        out += "<text x=\"50%\" y=\"21\" text-anchor=\"middle\" fill=\"#8a8a8a\">\(Self.escaped(title))</text>\n"
        for (row, line) in lines.enumerated() { out += drawn(line, row) }
        return out + "</svg>\n"
    }

    // MARK: Lines

    private struct Run {
        var column: Int
        var columns: Int
        var text: String
        var style: TerminalStyle
    }

    private func runs(_ line: TerminalLine) -> [Run] {
        var runs: [Run] = []
        for (column, cell) in line.cells.enumerated() where cell.width > 0 {
            if let last = runs.last, last.style == cell.style, last.column + last.columns == column {
                runs[runs.count - 1].text.append(cell.character)
                runs[runs.count - 1].columns += Int(cell.width)
            } else {
                runs.append(
                    Run(column: column, columns: Int(cell.width), text: String(cell.character), style: cell.style))
            }
        }
        return runs
    }

    private func drawn(_ line: TerminalLine, _ row: Int) -> String {
        let top = Double(row) * Self.cellHeight + Self.margin + Self.bar
        return runs(line).map { run in
            let (x, width) = (Double(run.column) * Self.cellWidth + Self.margin, Double(run.columns) * Self.cellWidth)
            let isReversed = run.style.attributes.contains(.reverse)
            let ink =
                Self.color(isReversed ? run.style.background : run.style.foreground)
                ?? (isReversed ? Self.paper : Self.ink)
            let paper =
                Self.color(isReversed ? run.style.foreground : run.style.background) ?? (isReversed ? Self.ink : nil)
            var out = ""
            if let paper {
                out += "<rect x=\"\(Self.text(x))\" y=\"\(Self.text(top))\" width=\"\(Self.text(width))\" "
                out += "height=\"\(Self.text(Self.cellHeight))\" fill=\"\(paper)\"/>\n"
            }
            guard run.text.contains(where: { $0 != " " }) else { return out }
            out += "<text xml:space=\"preserve\" x=\"\(Self.text(x))\" y=\"\(Self.text(top + 13))\" "
            out += "textLength=\"\(Self.text(width))\" lengthAdjust=\"spacingAndGlyphs\" fill=\"\(ink)\""
            if run.style.attributes.contains(.bold) { out += " font-weight=\"bold\"" }
            if run.style.attributes.contains(.underline) { out += " text-decoration=\"underline\"" }
            return out + ">\(Self.escaped(run.text))</text>\n"
        }.joined()
    }

    // MARK: Text

    /// xterm's colours; `nil` for the default.
    private static func color(_ color: TerminalColor) -> String? {
        switch color {
        case .standard: return nil
        case .indexed(let number):
            guard number >= 16 else { return basic[Int(number)] }
            guard number < 232 else { return hex(8 + 10 * (Int(number) - 232)) }
            let cube = Int(number) - 16
            let level = { (step: Int) in step == 0 ? 0 : 55 + 40 * step }
            return hex(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        case .rgb(let red, let green, let blue): return hex(Int(red), Int(green), Int(blue))
        }
    }

    private static let basic = [
        "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5", "#666666", "#f14c4c",
        "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
    ]

    private static func hex(_ gray: Int) -> String { hex(gray, gray, gray) }

    private static func hex(_ red: Int, _ green: Int, _ blue: Int) -> String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// With one decimal where it has any.
    private static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { out, character in
            switch character {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
    }
}
