import RemoteTerminalMode
import Testing

@Suite struct AlternateScreenWatchTests {
    @Test(arguments: [
        ("ls\r\n", false), ("\u{1B}[?1049h", true), ("\u{1B}[?1049h text \u{1B}[?1049l", false), ("\u{1B}[?47h", true),
        ("\u{1B}[?25l\u{1B}[?1;1047;25h", true), ("\u{1B}[1049h", false), ("\u{1B}[?10490h", false), ("?1049h", false),
        ("\u{1B}\u{1B}[?1049h", true), ("\u{1B}[?\u{1B}[?1049h", true), ("\u{1B}[?1049l\u{1B}[?1049$p", false),
    ])
    func `the alternate screen is known, wherever the output is cut`(output: String, isShown: Bool) {
        let bytes = Array(output.utf8)
        for cut in 0...bytes.count {
            var watch = AlternateScreenWatch()
            watch.feed(Array(bytes[..<cut]))
            watch.feed(Array(bytes[cut...]))
            #expect(watch.isShown == isShown, "cut at \(cut)")
        }
        var watch = AlternateScreenWatch()
        for byte in bytes { watch.feed([byte]) }
        #expect(watch.isShown == isShown)
    }

    @Test func `a sequence without an end is not kept for ever`() {
        var watch = AlternateScreenWatch()
        watch.feed(Array(("\u{1B}[?" + String(repeating: "1", count: 10_000)).utf8))
        watch.feed(Array("\u{1B}[?1049h".utf8))
        #expect(watch.isShown)
    }
}
