import RemoteTerminalMode
import Testing

/// The keys of `uavlink terminal` that are not for the shell.
struct EscapeKeysTests {
    /// What typing this, each text read at once, sends to the shell and asks for.
    private func type(_ pieces: String...) -> (sent: String, actions: [EscapeKeys.Action]) {
        var keys = EscapeKeys()
        var sent: [UInt8] = []
        var actions: [EscapeKeys.Action] = []
        for piece in pieces {
            let (send, action) = keys.feed(Array(piece.utf8))
            sent += send
            if let action { actions.append(action) }
        }
        return (String(decoding: sent, as: UTF8.self), actions)
    }

    @Test func `a tilde and a full stop hang up at the very beginning, and after a line's end`() {
        #expect(type("~.") == ("", [.hangUp]))
        #expect(type("ls\r~.") == ("ls\r", [.hangUp]))
        #expect(type("ls\n", "~", ".") == ("ls\n", [.hangUp]))
    }

    @Test func `what comes after a hang-up in the same piece is not sent`() {
        #expect(type("~.rm -r x\r") == ("", [.hangUp]))
    }

    @Test func `in the middle of a line it is text`() {
        #expect(type("cd ~.") == ("cd ~.", []))
        #expect(type("cd ", "~", ".") == ("cd ~.", []))
        #expect(type(" ~?") == (" ~?", []))
        // Taken back to the line's beginning it still counts as the middle: ssh does not follow what is erased either.
        #expect(type("a\u{7F}~.") == ("a\u{7F}~.", []))
    }

    @Test func `two tildes send one, which is not the beginning of the line any more`() {
        #expect(type("~~") == ("~", []))
        #expect(type("~~.") == ("~.", []))
        #expect(type("~~~.") == ("~~.", []))
        #expect(type("~", "~", "/x\r", "~.") == ("~/x\r", [.hangUp]))
    }

    @Test func `a tilde waits for the key after it, and goes with it when the two mean nothing`() {
        #expect(type("~") == ("", []))
        #expect(type("~", "/") == ("~/", []))
        #expect(type("~/.") == ("~/.", []))
        #expect(type("~\r") == ("~\r", []))
        #expect(type("~\r~.") == ("~\r", [.hangUp]))
    }

    @Test func `a tilde and a question mark explain, and the line is still at its beginning`() {
        #expect(type("~?") == ("", [.explain]))
        #expect(type("~?", "~.") == ("", [.explain, .hangUp]))
        #expect(type("~?ls\r") == ("ls\r", [.explain]))
    }

    @Test func `characters of more than one byte go through in any split`() {
        var keys = EscapeKeys()
        var sent: [UInt8] = []
        for byte in Array("é~.日\r".utf8) { sent += keys.feed([byte]).send }
        #expect(String(decoding: sent, as: UTF8.self) == "é~.日\r")
    }
}
