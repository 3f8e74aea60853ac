@testable import TextScreen
import Testing

@Suite("Signs spelled out in ASCII")
struct ASCIISpellingTests {
    private func spelled(_ line: String, columns: Int = 40) -> String {
        var canvas = Canvas(ScreenSize(rows: 1, columns: columns))
        canvas.write(line, row: 0)
        return ASCIISpelling.spelled(canvas).lines[0]
    }

    @Test(
        arguments: [
            ("90.0° ENU, east", "90.0 deg ENU, east"), ("turn by 15°", "turn by 15 deg"),
            ("fix ±0.04 m", "fix +/-0.04 m"), ("↑ ↓ Enter     choose", "Up Down Enter choose"),
            ("← → condition   m kind", "Left Right condition m kind"), ("   ± 0.5", " +/- 0.5"),
        ])
    func `a sign is a word where there is room`(_ line: String, _ words: String) { #expect(spelled(line) == words) }

    @Test func `what is in another column, and a frame's line, stay where they are`() {
        #expect(spelled("│ 90° ENU          │ x") == "│ 90 deg ENU       │ x")
        #expect(spelled("│ 90°     12.0 m │") == "│ 90 deg  12.0 m │")
        #expect(spelled("90°  a  b  c", columns: 12) == "90 deg a b c")
    }

    @Test func `without room a sign stays one character, and that is no letter`() {
        #expect(spelled("│ 90° ENU │") == "│ 90° ENU │")
        #expect(spelled("90°", columns: 3) == "90°")
        for sign: Character in ["°", "±", "○", "◇", "▫", "✓"] {
            let replacement = ASCIIText.replacement(of: sign)
            #expect(replacement.count == 1 && !replacement.contains { $0.isLetter || $0.isNumber }, "\(sign)")
        }
    }

    @Test func `a text field keeps its blanks, and the cursor moves with the text behind the sign`() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 12))
        canvas.write("9° ab", row: 0)
        canvas.cursor = (0, 5)
        let spelled = ASCIISpelling.spelled(canvas)
        #expect(spelled.lines == ["9 deg ab"] && spelled.cursor?.column == 8)
        canvas.fill(canvas.area, " ", Style(.standard, .underline))
        canvas.write("9°", row: 0, Style(.standard, .underline))
        #expect(ASCIISpelling.spelled(canvas).lines == ["9°"])
    }

    @Test func `wide characters behind a sign stay whole`() {
        #expect(spelled("9° 語x      |") == "9 deg 語x   |")
    }

    @Test func `the painter writes the words`() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 20))
        canvas.write("90° ▼ 3", row: 0)
        var painter = Painter(Appearance(depth: .none, isASCII: true))
        let bytes = String(decoding: painter.frame(canvas), as: UTF8.self)
        #expect(bytes.contains("deg") && bytes.utf8.allSatisfy { $0 < 0x80 } && !bytes.contains("?3"))
    }
}
