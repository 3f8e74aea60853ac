import Testing
import TextScreen

@Suite("Windows on lists, and texts that are shortened")
struct ListWindowTests {
    @Test func `a window stays inside its list`() {
        #expect(ListWindow(count: 3, rows: 5, first: 2).shown == 0..<3)
        #expect(ListWindow(count: 10, rows: 4, first: 8).shown == 6..<10)
        #expect(ListWindow(count: 10, rows: 4, first: -2).shown == 0..<4)
        #expect(ListWindow(count: 10, rows: 4, around: 5).shown == 3..<7)
        #expect(ListWindow(count: 0, rows: 4, first: 0).shown.isEmpty)
        let window = ListWindow(count: 10, rows: 4, around: 5)
        #expect(window.above == 3 && window.below == 3)
    }

    @Test func `signs say how much more there is, above and below`() {
        var canvas = Canvas(ScreenSize(rows: 4, columns: 30))
        canvas.box(canvas.area, title: "List")
        canvas.drawMarks(of: ListWindow(count: 17, rows: 2, first: 3), on: canvas.area)
        #expect(canvas.lines[0].contains("List") && canvas.lines[0].contains("▲ 3 more"))
        #expect(canvas.lines[3].contains("▼ 12 more"))
        var all = Canvas(ScreenSize(rows: 4, columns: 30))
        all.drawMarks(of: ListWindow(count: 2, rows: 2, first: 0), on: all.area)
        #expect(all.lines.allSatisfy { $0.isEmpty })
    }

    @Test(
        arguments: [
            ("the whole text", 20, "the whole text"), ("press 1 for the joystick", 16, "press 1 for …"),
            ("press 1 for the joystick", 17, "press 1 for the …"), ("/a/very/long/path", 9, "/a/very/…"),
            ("a /very/long/path", 10, "a /very/l…"), ("x", 0, ""),
        ])
    func `a text is shortened at the end of a word, if it has one in its second half`(
        _ text: String, _ width: Int, _ shortened: String
    ) {
        #expect(text.shortened(to: width).cells <= width)
        #expect(text.shortened(to: width) == shortened)
    }

    @Test func `lines that are left out are marked`() {
        let text = "one two three four five six"
        #expect(text.wrapped(to: 9, atMost: 9) == ["one two", "three", "four five", "six"])
        #expect(text.wrapped(to: 9, atMost: 2) == ["one two", "three …"])
        #expect(text.wrapped(to: 9, atMost: 3).last == "four …")
        #expect(text.wrapped(to: 9, atMost: 0).isEmpty)
    }
}
