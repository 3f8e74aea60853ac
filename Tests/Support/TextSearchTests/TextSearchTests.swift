import Testing
import TextSearch

@Suite struct `A text is found in another` {
    @Test(arguments: [
        ("", "", true), ("abc", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "bc", true),
        ("abc", "bd", false),
        ("aab", "ab", true), ("aaab", "aab", true), ("abababc", "ababc", true), ("größer", "öße", true),
        ("ö", "o", false), ("\r\n", "\n", true), ("abc", "abcd", false),
    ])
    func `as often as the standard library finds it`(_ text: String, _ wanted: String, _ isThere: Bool) {
        #expect(text.includes(wanted) == isThere)
        #expect(Substring(text).includes(wanted) == isThere)
    }

    @Test func `what follows it begins after its first occurrence`() {
        #expect("a: b: c".rest(after: ": ") == "b: c")
        #expect("a".rest(after: "a") == "")
        #expect("a".rest(after: "b") == nil)
        #expect("ä: ö".rest(after: ": ") == "ö")
    }
}
