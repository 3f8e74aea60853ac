import Testing

@testable import MRS

/// What is sent to a vehicle's log-in shell; the shells themselves read it in the integration tests.
@Suite struct RemoteShellTests {
    @Test func `a quoted word means nothing but itself`() {
        #expect(RemoteShell.word("a b") == "'a b'")
        #expect(RemoteShell.word("it's") == #"'it'\''s'"#)
        #expect(RemoteShell.word("") == "''")
        #expect(RemoteShell.word("e\u{301}'\u{301}") == "'e\u{301}'\\''\u{301}'", "a quote with an accent is a quote")
    }

    @Test func `what shells read differently is escaped, and all else is as it was`() {
        let line = RemoteShell.line(running: "echo 'a' \\ ! \"$B\" `c`\nü")
        #expect(line.hasPrefix("exec sh -c '"))
        #expect(line.hasSuffix(#" sh 'echo \0047a\0047 \0134 \0041 "$B" `c`\0012\0303\0274'"#), "\(line)")
        // Between the four quotes that are meant there is no other, and no other character that shells differ in.
        #expect(line.split(separator: "'", omittingEmptySubsequences: false).count == 5)
        #expect(!line.contains { $0 == "!" || $0.isNewline })
    }

    @Test func `a script cannot contain the end of a text in C`() {
        #expect(RemoteShell.line(running: "a\0b").hasSuffix(" sh 'ab'"))
    }
}
