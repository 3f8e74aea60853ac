import Testing
import TextScreen

@Suite("Widgets")
struct WidgetTests {
    @Test("a field is edited like a line of readline")
    func field() {
        var field = TextField("10.0.0.1")
        field.handle(KeyEvent(.home))
        field.handle(.typed("u"))
        field.handle(KeyEvent(.end))
        field.handle(KeyEvent(.backspace))
        field.handle(.typed("é"))
        #expect(field.text == "u10.0.0.é")
        field.handle(KeyEvent(.left))
        field.handle(KeyEvent(.character("k"), .control))
        #expect(field.text == "u10.0.0.")
        field.handle(KeyEvent(.character("u"), .control))
        #expect(field.text.isEmpty)
        field.insert("two words\nand a line")
        field.handle(KeyEvent(.character("w"), .control))
        #expect(field.text == "two ")
        let takesEnter = field.handle(KeyEvent(.enter))
        #expect(!takesEnter)
    }

    @Test("what joins with its neighbour keeps the cursor inside: found by FuzzTerminalInput")
    func joining() {
        var field = TextField("e")
        field.insert("\u{30D}")
        #expect(field.text.count == 1)
        #expect(field.cursor == 1)
        field.handle(KeyEvent(.backspace))
        #expect(field.text.isEmpty)
        var flags = TextField("\u{1F1E8}x\u{1F1FF}")
        flags.handle(KeyEvent(.left))
        flags.handle(KeyEvent(.backspace))
        #expect(flags.text == "🇨🇿")
        #expect(flags.cursor <= flags.text.count)
        flags.handle(.typed("a"))
        #expect(flags.text == "🇨🇿a" || flags.text == "a🇨🇿")
    }

    @Test("a secret is never drawn")
    func secret() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 10))
        TextField("hunter2", isSecret: true).draw(on: &canvas, in: canvas.area, hasFocus: true)
        #expect(canvas.lines == ["•••••••"])
        #expect(canvas.cursor?.column == 7)
    }

    @Test("a long text scrolls so that the cursor is seen")
    func scrolling() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 5))
        TextField("abcdefgh").draw(on: &canvas, in: canvas.area, hasFocus: true)
        #expect(canvas.lines == ["…fgh"])
        #expect(canvas.cursor?.column == 4)
    }

    @Test("where text is left out stands an ellipsis, but not under the cursor, and not in a secret")
    func leftOut() {
        func shown(_ field: TextField, hasFocus: Bool = true) -> String {
            var canvas = Canvas(ScreenSize(rows: 1, columns: 5))
            field.draw(on: &canvas, in: canvas.area, hasFocus: hasFocus)
            return canvas.lines.joined()
        }
        var field = TextField("abcdefgh")
        for (key, seen) in [(KeyEvent.Key.home, "abcd…"), (.right, "abcd…"), (.end, "…fgh")] {
            field.handle(KeyEvent(key))
            #expect(shown(field) == seen)
        }
        for _ in 0..<3 { field.handle(KeyEvent(.left)) }
        #expect(shown(field) == "…cdef" && shown(field, hasFocus: false) == "…cde…")
        #expect(shown(TextField("abcd")) == "abcd" && shown(TextField("abcde")) == "…cde")
        #expect(shown(TextField("abcdefgh", isSecret: true)) == "••••")
    }

    @Test("a text that is too long is cut, and the field says so until the next key")
    func cut() {
        func shown(_ field: TextField) -> String {
            var canvas = Canvas(ScreenSize(rows: 1, columns: 40))
            field.draw(on: &canvas, in: canvas.area, hasFocus: true)
            return canvas.lines.joined()
        }
        var field = TextField()
        field.insert(String(repeating: "a", count: TextField.longest))
        #expect(!field.isCut && !shown(field).contains("cut"))
        field.handle(.typed("b"))
        #expect(field.isCut && shown(field).contains("cut at 4096 characters"))
        #expect(field.text.count == TextField.longest && !field.text.contains("b"))
        field.handle(KeyEvent(.backspace))
        #expect(!field.isCut && !shown(field).contains("cut"))
        field.insert("bc")
        #expect(field.isCut && field.text.hasSuffix("ab"))
        #expect(TextField(String(repeating: "a", count: TextField.longest + 1)).isCut)
    }

    @Test("what is drawn of a text is what stands around the cursor", arguments: 0...12)
    func around(_ steps: Int) {
        var field = TextField("ab計de計ghi")
        for _ in 0..<steps { field.handle(KeyEvent(.left)) }
        var canvas = Canvas(ScreenSize(rows: 1, columns: 6))
        field.draw(on: &canvas, in: canvas.area, hasFocus: true)
        // As measured from the beginning of the text: the first character from which the cursor is in the area.
        let all = Array(field.text)
        var first = 0
        while first < field.cursor, all[first..<field.cursor].reduce(0, { $0 + $1.cells }) >= 6 { first += 1 }
        #expect(canvas.cursor?.column == all[first..<field.cursor].reduce(0) { $0 + $1.cells })
        #expect(canvas.lines.first?.first == (first > 0 ? "…" : all.first))
    }

    @Test("dots of a braille cell")
    func braille() {
        var plot = BraillePlot(ScreenSize(rows: 1, columns: 2))
        plot.set(x: 0, y: 0)
        plot.set(x: 1, y: 3)
        plot.line(fromX: 2, y: 0, toX: 2, y: 3)
        plot.set(x: 99, y: -4)
        var canvas = Canvas(ScreenSize(rows: 1, columns: 2))
        plot.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines == ["⢁⡇"])
    }

    @Test("lines that leave the plot are clipped, not walked")
    func clipping() {
        var plot = BraillePlot(ScreenSize(rows: 1, columns: 1))
        plot.line(fromX: -1e12, y: 1, toX: 1e12, y: 1)
        plot.line(fromX: .nan, y: 0, toX: 1, y: 1)
        plot.line(fromX: 0, y: -10, toX: 1, y: -10)
        var canvas = Canvas(ScreenSize(rows: 1, columns: 1))
        plot.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines == ["⠒"])
    }

    @Test("dashes go on from line to line, and where the plot begins in their middle")
    func dashes() {
        let dashes = BraillePlot.Dashes(on: 2, off: 1)
        var plot = BraillePlot(ScreenSize(rows: 1, columns: 4))
        let phase = plot.line(fromX: 0, y: 0, toX: 4, y: 0, dashes: dashes)
        #expect(phase == 1)
        plot.line(fromX: 4, y: 0, toX: 7, y: 0, dashes: dashes, phase: phase)
        plot.line(fromX: -31, y: 3, toX: 1e10, y: 3, dashes: dashes)
        var canvas = Canvas(ScreenSize(rows: 1, columns: 4))
        plot.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines == ["⡉⣈⢁⡉"])
    }

    @Test("sparklines scale to their values, and gaps stay gaps")
    func sparkline() {
        #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7], width: 8) == "▁▂▃▄▅▆▇█")
        #expect(Sparkline.text([1, .nan, 1], width: 4) == " ▁ ▁")
        #expect(Sparkline.text([50], width: 1, range: 0...100) == "▅")
        #expect(Sparkline.text([], width: 3) == "   ")
    }
}
