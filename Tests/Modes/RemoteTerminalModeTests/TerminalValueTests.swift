import RemoteTerminalMode
import Foundation
import Testing

@Suite("Terminal: values")
struct TerminalValueTests {
    @Test("a log is bounded and says what it left out")
    func logBound() {
        var log = SessionLog()
        for number in 0..<3000 {
            log.addReceived(Array(repeating: UInt8(ascii: "x"), count: 1000), at: Double(number * 2))
        }
        #expect(log.dropped > 0)
        #expect(log.entries.reduce(0) { $0 + $1.text.utf8.count } <= SessionLog.mostBytes)
        #expect(log.text(place: "here", time: { "\(Int($0))" }).contains("older entries were dropped"))
    }

    @Test("lines of output: pieces join, carriage returns begin anew, the number is bounded")
    func outputLines() {
        var output = OutputLines()
        output.add(CommandChunk(bytes: Array("10%\r50%\r100%\r\ndone\n\nlast".utf8)))
        output.add(CommandChunk(bytes: Array(" one\u{7}\u{202E}".utf8)))
        #expect(output.lines.map(\.text) == ["100%", "done", "", "last one\\u{202e}"])
        for _ in 0..<20 { output.add(CommandChunk(bytes: Array(String(repeating: "y\n", count: 1000).utf8))) }
        #expect(output.lines.count <= OutputLines.mostLines + 500)
        #expect(output.isCut)
    }

    @Test("the history keeps neither repetitions nor lines that begin with a blank, and a thousand at most")
    func historyRules() {
        var history = CommandHistory()
        let first = history.add("a")
        #expect(first)
        let again = history.add("a")
        let blank = history.add(" b")
        let empty = history.add("")
        #expect(!again && !blank && !empty)
        for number in 0..<2000 { history.add("\(number)") }
        #expect(history.lines.count == CommandHistory.most)
        #expect(history.lines.last == "1999")
    }
}
