import MRS
import Testing

@testable import Deployment

@Suite struct ScriptTests {
    static let scripts = [
        FactsScript.text, InstallScripts.prepare, InstallScripts.rollBack, RemoveScripts.remove(for: "uav1"),
        ServiceScripts.restart,
        InstallScripts.install("incoming-0123456789ab", checksum: String(repeating: "0", count: 64)),
        RemoveScripts.awaitEnd(of: 4711),
        ServiceScripts.install(ServiceUnit.text(vehicle: "uav1", bind: nil, variables: []), for: "uav1"),
    ]

    @Test(arguments: scripts)
    func `a line has nothing that log-in shells read differently, and fits into one of SSH`(script: String) {
        let line = RemoteShell.posixLine(running: script)
        let frame = #"exec sh -c 'eval "$(printf %b "$1")"' sh '"#
        #expect(line.hasPrefix(frame) && line.hasSuffix("'"))
        let word = line.dropFirst(frame.count).dropLast()
        #expect(
            word.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "!") })
        #expect(Self.decoded(String(word)) == script)
        // The limit of SSHSession.
        #expect(line.utf8.count < 30_000)
    }

    /// As `printf %b` does.
    private static func decoded(_ word: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: #"\"#) else {
                bytes.append(byte)
                continue
            }
            let digits = rest.dropFirst().prefix(3)
            bytes.append(digits.reduce(0) { $0 << 3 | ($1 & 7) })
            rest = rest.dropFirst(4)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a value stays one word, whatever is in it`() {
        #expect(RemoteShell.word("a") == "'a'")
        #expect(RemoteShell.word("it's; rm -rf ~") == #"'it'\''s; rm -rf ~'"#)
        #expect(RemoteShell.word("") == "''")
    }

    @Test func `lines of ours are read, and nothing else`() {
        let answer = ScriptAnswer(
            "Welcome to uav1\nuavlink begin\r\nuavlink home /home/a b\nuavlink  x\nuavlinkhome /etc\nuavlink end\n")
        #expect(answer.isComplete)
        #expect(answer["home"] == "/home/a b")
        #expect(!answer.has("x") && answer.all("home").count == 1)
        #expect(!ScriptAnswer("uavlink begin\nuavlink home /x").isComplete)
    }

    @Test func `values are bounded and have no control characters`() {
        let long = String(repeating: "x", count: ScriptAnswer.longestValue)
        #expect(ScriptAnswer("uavlink a \(long)")["a"] == long)
        #expect(ScriptAnswer("uavlink a \(long)x")["a"] == nil)
        #expect(ScriptAnswer("uavlink a \u{1B}[2J")["a"] == nil)
        let many = String(repeating: "uavlink stored x\n", count: 1000)
        #expect(ScriptAnswer(many).all("stored").count == 50)
        let padding = String(repeating: "y", count: ScriptAnswer.longestOutput)
        #expect(!ScriptAnswer(padding + "\nuavlink end").has("end"))
    }
}
