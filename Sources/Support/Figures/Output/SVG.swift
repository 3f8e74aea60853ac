/// Writes charts as SVG 1.1: the same chart gives the same text on every machine.
package enum SVG {
    /// The file's text.
    package static func text(_ figure: Figure) -> String {
        let drawing = FigureLayout.draw(figure)
        let (width, height) = (number(drawing.width), number(drawing.height))
        var out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        out += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
        out += " viewBox=\"0 0 \(width) \(height)\" font-family=\"sans-serif\">\n"
        out += "<title>\(escaped(figure.title))</title>\n"
        out += "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>\n"
        let (origin, size) = (drawing.plotOrigin, drawing.plotSize)
        out += "<clipPath id=\"plot\"><rect x=\"\(number(origin.x))\" y=\"\(number(origin.y))\""
        out += " width=\"\(number(size.x))\" height=\"\(number(size.y))\"/></clipPath>\n"
        for shape in drawing.around { write(shape, to: &out) }
        out += "<g clip-path=\"url(#plot)\">\n"
        for shape in drawing.inside { write(shape, to: &out) }
        out += "</g>\n</svg>\n"
        return out
    }

    private static func write(_ shape: Drawing.Shape, to out: inout String) {
        switch shape {
        case .line(let points, let stroke):
            var pen = SVGPath()
            for point in points { pen.line(to: point) }
            begin(stroke.colour, width: stroke.width, to: &out)
            if !stroke.dashes.isEmpty {
                out += " stroke-dasharray=\"\(stroke.dashes.map { number($0 * SVGPath.unit) }.joined(separator: " "))\""
            }
            out += " stroke-linejoin=\"round\" d=\"\(pen.text)\"/>\n"
        case .rectangle(let origin, let size, let fill):
            out += "<rect x=\"\(number(origin.x))\" y=\"\(number(origin.y))\" width=\"\(number(size.x))\""
            out += " height=\"\(number(size.y))\" fill=\"\(hex(fill))\"/>\n"
        case .discs(let centres, let radius, let fill):
            // Dots of a round pen (SVG 1.1, 11.4): a tenth of what as many circles take.
            var pen = SVGPath()
            for centre in centres { pen.dot(at: centre) }
            begin(fill, width: 2 * radius, to: &out)
            out += " stroke-linecap=\"round\" d=\"\(pen.text)\"/>\n"
        case .text(let text, let at, let size, let anchor, let isUpward):
            guard !text.isEmpty else { return }
            let (x, y) = (number(at.x), number(at.y))
            out += "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(number(size))\" text-anchor=\"\(anchor)\""
            if isUpward { out += " transform=\"rotate(-90 \(x) \(y))\"" }
            out += ">\(escaped(text))</text>\n"
        }
    }

    /// Begins a path; its lengths are in units of ``SVGPath``.
    private static func begin(_ colour: Colour, width: Double, to out: inout String) {
        out += "<path transform=\"scale(\(TickText.fixed(1 / SVGPath.unit, decimals: 1)))\" fill=\"none\""
        out += " stroke=\"\(hex(colour))\" stroke-width=\"\(number(width * SVGPath.unit))\""
    }

    private static func hex(_ colour: Colour) -> String {
        "#"
            + [colour.red, colour.green, colour.blue].map {
                let digits = String($0, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }

    private static func number(_ value: Double) -> String {
        let text = TickText.fixed(value, decimals: 2)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "\"": out += "&quot;"
            default:
                let isText = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                out.unicodeScalars.append(isText ? scalar : "\u{FFFD}")
            }
        }
        return out
    }
}
