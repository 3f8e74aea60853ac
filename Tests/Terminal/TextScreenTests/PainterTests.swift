import Testing
import TextScreen

@Suite("Painter")
struct PainterTests {
    private let size = ScreenSize(rows: 3, columns: 20)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("what is shown already is not sent again")
    func nothing() {
        var painter = Painter(Appearance(depth: .full))
        var canvas = Canvas(size)
        canvas.write("hello", row: 1)
        #expect(!painter.frame(canvas).isEmpty)
        #expect(painter.frame(canvas).isEmpty)
        painter.invalidate()
        #expect(!painter.frame(canvas).isEmpty)
    }

    @Test("only the cells that differ are sent, between the marks of synchronised output")
    func difference() {
        var painter = Painter(Appearance(depth: .none))
        var canvas = Canvas(size)
        canvas.write("height 12 m", row: 1)
        _ = painter.frame(canvas)
        canvas.write("3", row: 1, column: 8)
        #expect(text(painter.frame(canvas)) == "\u{1B}[?2026h\u{1B}[?25l\u{1B}[2;9H3\u{1B}[?2026l")
    }

    @Test("without colours attributes stay")
    func depths() {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 4))
        canvas.write("x", row: 0, .tone(.danger))
        let expected: [ColorDepth: String] = [
            .none: "\u{1B}[0;1m", .sixteen: "\u{1B}[0;1;91m", .indexed: "\u{1B}[0;1;38;5;166m",
            .full: "\u{1B}[0;1;38;2;213;94;0m",
        ]
        for (depth, sequence) in expected {
            var painter = Painter(Appearance(depth: depth))
            #expect(text(painter.frame(canvas)).contains(sequence))
        }
    }

    @Test(
        "the environment decides the depth",
        arguments: [
            (["TERM": "xterm-256color"], ColorDepth.indexed), (["TERM": "xterm", "COLORTERM": "truecolor"], .full),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed),
            (["TERM": "dumb"], .none), ([:], .none), (["TERM": "screen"], .sixteen),
        ])
    func environment(_ environment: [String: String], _ depth: ColorDepth) {
        #expect(ColorDepth(environment: environment) == depth)
    }
}
