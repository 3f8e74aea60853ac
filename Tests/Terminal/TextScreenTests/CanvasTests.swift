import Testing
import TextScreen

@Suite("Canvas")
struct CanvasTests {
    @Test("text is cut at the area's edge, and a wide character never in half")
    func cut() {
        var canvas = Canvas(ScreenSize(rows: 2, columns: 10))
        let area = ScreenArea(row: 0, column: 2, rows: 1, columns: 5)
        #expect(canvas.write("abcdefgh", row: 0, in: area) == 5)
        #expect(canvas.write("abcd日", row: 1, column: 5) == 4)
        #expect(canvas.lines == ["  abcde", "     abcd"])
    }

    @Test("overwriting half of a wide character blanks the other half")
    func wideHalves() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 4))
        canvas.write("日本", row: 0)
        canvas.write("x", row: 0, column: 1)
        #expect(canvas.lines == [" x本"])
        canvas.write("y", row: 0, column: 2)
        #expect(canvas.lines == [" xy"])
    }

    @Test("control characters are shown, never kept")
    func controls() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 10))
        canvas.write("a\u{1B}[2J\u{7F}\u{85}", row: 0)
        #expect(canvas.lines == ["a␛[2J␡\u{FFFD}"])
    }

    @Test("a title that is too long is cut with a sign")
    func fitted() {
        #expect("hexacopter".fitted(to: 5) == "hexa…")
        #expect("hexa".fitted(to: 4) == "hexa")
        #expect("日本語".fitted(to: 5) == "日本…")
        #expect("x".fitted(to: 0) == "")
    }

    @Test("paragraphs break at spaces, and in words that are too long")
    func wrapped() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("abcdefgh i".wrapped(to: 3) == ["abc", "def", "gh", "i"])
        #expect("delay=20ms,jitter=5ms,loss=2%".wrapped(to: 12) == ["delay=20ms,", "jitter=5ms,", "loss=2%"])
        #expect("a,bcdefghij".wrapped(to: 6) == ["a,bcde", "fghij"])
        #expect("a\n\nb".wrapped(to: 3) == ["a", "", "b"])
    }
}
