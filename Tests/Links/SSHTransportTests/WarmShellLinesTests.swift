import MRS
import Testing
import UAVLink

@testable import SSHTransport

@Suite struct WarmShellLinesTests {
    private let begin = EndMarker("begin")
    private let end = EndMarker()

    private func lines(_ script: String = "true", limit: Int = 1000) -> WarmShellLines {
        WarmShellLines(running: script, in: .subshellUntilClosed, limit: limit, begin: begin, end: end)
    }

    private func chunk(_ text: some StringProtocol, _ stream: SSHStream = .output) -> SSHChunk {
        SSHChunk(stream: stream, bytes: Array(text.utf8))
    }

    @Test func `whatever the split, a command gets what was written between its markers`() throws {
        let output = Array("a greeting\n\(begin.text)\nno newline at the end\(end.text) 17\na late program\n".utf8)
        for split in 1...output.count {
            var lines = lines()
            for start in stride(from: 0, to: output.count, by: split) {
                let bytes = Array(output[start..<min(start + split, output.count)])
                try lines.take(SSHChunk(stream: .output, bytes: bytes))
                // It does not wait for standard error to know that it has begun.
                let isMarked = start + split > "a greeting\n".utf8.count + begin.bytes.count
                #expect(lines.hasBegun == isMarked, "split \(split) at \(start)")
            }
            #expect(lines.result == nil)
            try lines.take(chunk("noise\(begin.text)\nwrong\(end.text)\n", .error))
            let result = try #require(lines.result)
            #expect(result.exitStatus == 17)
            #expect(result.outputText == "no newline at the end" && result.errorText == "wrong")
        }
    }

    @Test func `the markers of another command are output`() throws {
        var lines = lines()
        let (other, otherEnd) = (EndMarker("begin"), EndMarker())
        try lines.take(chunk("\(other.text)\n\(otherEnd.text) 0\n\(end.text.dropLast())"))
        #expect(!lines.hasBegun && lines.result == nil)
        try lines.take(chunk("\(begin.text)\n\(otherEnd.text) 0\n\(end.text.dropLast())\n\(end.text) 3\n"))
        try lines.take(chunk("\(begin.text)\n\(end.text)\n", .error))
        #expect(lines.result?.outputText == "\(otherEnd.text) 0\n\(end.text.dropLast())\n")
        #expect(lines.result?.exitStatus == 3)
    }

    @Test func `an end that is cut off is none, and one without a status has none`() throws {
        var lines = lines()
        try lines.take(chunk("\(begin.text)\n\(end.text) 1"))
        try lines.take(chunk("\(begin.text)\n\(end.text)\n", .error))
        #expect(lines.hasBegun && lines.result == nil)
        try lines.take(chunk("x\n"))
        let result = try #require(lines.result)
        #expect(result.exitStatus == nil && !result.isSuccess)
    }

    @Test func `more output than the limit is an error`() throws {
        var lines = lines(limit: 1000)
        try lines.take(chunk("\(begin.text)\n"))
        try lines.take(chunk(String(repeating: "x", count: 1000), .error))
        #expect(throws: LinkError.self) { try lines.take(chunk(String(repeating: "x", count: 1000))) }
    }

    @Test func `a command is one compound command that only its last character completes`() {
        let line = String(decoding: lines("echo 'it''s'\n} ; { \"").line, as: UTF8.self)
        #expect(line.hasPrefix("{ ") && line.hasSuffix("; }\n"))
        #expect(line.contains(begin.text) && line.contains(end.text))
        #expect(lines().line != WarmShellLines(running: "true", in: .subshellUntilClosed, limit: 1).line)
    }
}
