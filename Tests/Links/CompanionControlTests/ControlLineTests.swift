import Secrets
import Testing

@testable import CompanionControl

@Suite struct ControlLineTests {
    private func read(_ text: String, limit: Int, piece: Int) -> ControlLine.Progress {
        var line = ControlLine(limit: limit)
        let bytes = Array(text.utf8)
        var progress = ControlLine.Progress.incomplete
        for start in stride(from: 0, to: bytes.count, by: piece) where progress == .incomplete {
            progress = line.take(bytes[start..<min(start + piece, bytes.count)])
        }
        return progress
    }

    @Test(arguments: [1, 3, 512])
    func `a line is taken up to its limit and not one byte beyond, however it comes`(piece: Int) {
        let longest = String(repeating: "x", count: 64)
        #expect(read(longest + "\n", limit: 64, piece: piece) == .complete(SecretBytes(longest)))
        #expect(read(longest + "x\n", limit: 64, piece: piece) == .tooLong)
        #expect(read(longest, limit: 64, piece: piece) == .incomplete)
        #expect(read("status\nmore", limit: 64, piece: piece) == .complete(SecretBytes("status")))
    }

    /// What `FuzzControl` found: the mark joins the space before it to one character.
    @Test func `an answer may begin with a combining mark`() {
        #expect(ControlAnswer(line: SecretBytes("ok \u{348}x")) == .ok(SecretBytes("\u{348}x")))
        #expect(ControlAnswer(line: ControlAnswer.error("\u{348}d").line) == .error("\u{348}d"))
    }

    @Test func `an answer reads as it was written`() {
        for answer in [ControlAnswer.ok(SecretBytes("ok error ")), .error("ok x"), .error("")] {
            #expect(ControlAnswer(line: answer.line) == answer)
        }
        #expect(ControlAnswer(line: SecretBytes("what")) == .error("what"))
    }
}
