import Testing

@testable import TerminalEmulation

@Suite("Plain text of a terminal's output")
struct PlainTextFilterTests {
    @Test("sequences are left out, in any split", arguments: [1, 2, 3, 100])
    func sequences(_ step: Int) {
        let bytes = Array(
            "\u{1B}[1;31mred\u{1B}[0m \u{1B}]2;title\u{7}ž\u{1B}]8;;x\u{1B}\\日\u{1B}(B\u{7}\r\nnext\tx".utf8)
        var filter = PlainTextFilter()
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: step) {
            text += filter.feed(bytes[start..<min(start + step, bytes.count)])
        }
        #expect(text == "red ž日\r\nnext\tx")
    }

    @Test("what is no UTF-8 is shown as such and holds nothing up")
    func brokenText() {
        var filter = PlainTextFilter()
        #expect(filter.feed([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(filter.feed([0xE2, 0x82]) == "")
        #expect(filter.feed([0x63]) == "\u{FFFD}c")
    }
}
