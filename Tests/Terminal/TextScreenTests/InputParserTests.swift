import Testing
import TextScreen

@Suite("Keys and what else a terminal sends")
struct InputParserTests {
    private func events(_ text: String) -> [InputEvent] {
        var parser = InputParser()
        return parser.feed(Array(text.utf8))
    }

    static let keys: [(String, KeyEvent)] = [
        ("a", .typed("a")), ("A", .typed("A")), ("é", .typed("é")), ("日", .typed("日")), (" ", .typed(" ")),
        ("\r", KeyEvent(.enter)), ("\t", KeyEvent(.tab)), ("\u{7F}", KeyEvent(.backspace)),
        ("\u{03}", KeyEvent(.character("c"), .control)), ("\u{1A}", KeyEvent(.character("z"), .control)),
        ("\u{00}", KeyEvent(.character(" "), .control)), ("\u{1B}a", KeyEvent(.character("a"), .alt)),
        ("\u{1B}[A", KeyEvent(.up)), ("\u{1B}OB", KeyEvent(.down)), ("\u{1B}[1;5C", KeyEvent(.right, .control)),
        ("\u{1B}[3~", KeyEvent(.delete)), ("\u{1B}[5;2~", KeyEvent(.pageUp, .shift)),
        ("\u{1B}[Z", KeyEvent(.tab, .shift)),
        ("\u{1B}OP", KeyEvent(.function(1))), ("\u{1B}[18~", KeyEvent(.function(7))),
        ("\u{1B}[19~", KeyEvent(.function(8))), ("\u{1B}[24~", KeyEvent(.function(12))),
        ("\u{1B}[[C", KeyEvent(.function(3))), ("\u{1B}[1;2S", KeyEvent(.function(4), .shift)),
        // The kitty keyboard protocol: press, repetition and release, text, lock keys left out.
        ("\u{1B}[97;1:1;97u", KeyEvent(.character("a"), phase: .press, text: "a")),
        ("\u{1B}[97;1:2;97u", KeyEvent(.character("a"), phase: .repeating, text: "a")),
        ("\u{1B}[97;1:3u", KeyEvent(.character("a"), phase: .release)),
        ("\u{1B}[97:65;2;65u", KeyEvent(.character("a"), .shift, text: "A")),
        ("\u{1B}[97;65u", KeyEvent(.character("a"), text: "a")), ("\u{1B}[27u", KeyEvent(.escape)),
        ("\u{1B}[57441;2:1u", KeyEvent(.other(57441), .shift)), ("\u{1B}[1;1:3A", KeyEvent(.up, phase: .release)),
        ("\u{1B}[99;5u", KeyEvent(.character("c"), .control)),
    ]

    @Test("each key, however the terminal sends it", arguments: keys)
    func key(_ bytes: String, _ expected: KeyEvent) {
        #expect(events(bytes) == [.key(expected)])
    }

    @Test("bytes may come in any split", arguments: keys)
    func splits(_ bytes: String, _ expected: KeyEvent) {
        var parser = InputParser()
        let events = Array(bytes.utf8).flatMap { parser.feed([$0]) }
        #expect(events == [.key(expected)])
    }

    @Test("a lone ESC is Escape when nothing follows, and not before")
    func escape() {
        var parser = InputParser()
        #expect(parser.feed([0x1B]).isEmpty)
        #expect(parser.isWaiting)
        #expect(parser.flush() == [.key(KeyEvent(.escape))])
        #expect(!parser.isWaiting)
        #expect(parser.flush().isEmpty)
        #expect(parser.feed([0x1B, 0x1B]) == [.key(KeyEvent(.escape))])
    }

    @Test("mouse, focus, answers")
    func others() {
        #expect(events("\u{1B}[<0;10;5M") == [.mouse(MouseEvent(.press, row: 4, column: 9))])
        #expect(events("\u{1B}[<2;1;1m") == [.mouse(MouseEvent(.release, button: 2, row: 0, column: 0))])
        #expect(events("\u{1B}[<65;3;4M") == [.mouse(MouseEvent(.wheelDown, button: 1, row: 3, column: 2))])
        #expect(events("\u{1B}[<0;0;0M").isEmpty)
        #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
        #expect(events("\u{1B}[?27u\u{1B}[?62;c") == [.kittyKeyboard(flags: 27), .deviceAttributes])
    }

    @Test("a paste is text, whatever it holds")
    func paste() {
        #expect(events("\u{1B}[200~rm -rf\r\u{1B}[A\u{1B}[201~x") == [.paste("rm -rf\r\u{1B}[A"), .key(.typed("x"))])
    }

    @Test("a paste beyond the limit is cut, and its end is still found")
    func longPaste() {
        var parser = InputParser()
        var got = parser.feed(Array("\u{1B}[200~".utf8))
        got += parser.feed(Array(repeating: 0x61, count: InputParser.longestPaste + 100_000))
        got += parser.feed(Array("\u{1B}[201~b".utf8))
        guard case .paste(let text) = got.first else { return #expect(Bool(false), "no paste") }
        #expect(text.utf8.count == InputParser.longestPaste)
        #expect(got.last == .key(.typed("b")))
    }

    @Test("what is not known is dropped whole, and what follows is read")
    func unknown() {
        let unknown = [
            "\u{1B}[?1;2y", "\u{1B}[>4;1m", "\u{1B}]0;title\u{07}", "\u{1B}P1$r\u{1B}\\", "\u{1B}[99999999999999u",
            "\u{1B}[" + String(repeating: "1;", count: 500) + "u", "\u{1B}[;;;;;;;;;;;;u", "\u{1B}[<1;2M",
        ]
        for sequence in unknown {
            #expect(events(sequence + "x") == [.key(.typed("x"))], "\(sequence.debugDescription)")
        }
    }

    @Test("broken UTF-8 is dropped, and what follows is read")
    func brokenText() {
        var parser = InputParser()
        #expect(parser.feed([0xC3, 0x61]) == [.key(.typed("a"))])
        #expect(parser.feed([0xFF, 0x62]) == [.key(.typed("b"))])
        #expect(parser.feed([0xE2, 0x82, 0xE2, 0x82, 0xAC]) == [.key(.typed("€"))])
    }
}
