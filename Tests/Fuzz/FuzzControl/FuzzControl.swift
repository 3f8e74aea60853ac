@testable import CompanionControl
import FuzzKit
import Secrets

/// Any bytes at either end of the control socket, in any split.
@main enum FuzzControl: FuzzTarget {
    /// Reads bytes in chunks of the size given by the first byte, and whole: both results must be equal.
    static func test(_ bytes: [UInt8]) {
        guard let size = bytes.first else { return }
        let rest = bytes.dropFirst()
        for limit in [ControlLimits.requestBytes, ControlLimits.answerBytes] {
            var whole = ControlLine(limit: limit)
            let expected = whole.take(rest)
            var cut = ControlLine(limit: limit)
            var found = ControlLine.Progress.incomplete
            var start = rest.startIndex
            while start < rest.endIndex, found == .incomplete {
                let end = rest.index(start, offsetBy: Int(size) + 1, limitedBy: rest.endIndex) ?? rest.endIndex
                found = cut.take(rest[start..<end])
                start = end
            }
            precondition(found == expected, "a line read in chunks differs from the line read whole")
            guard case .complete(let line) = expected else { continue }
            let text = line.unwipedText
            if let request = ControlRequest(rawValue: text) {
                precondition(request.rawValue == text, "a request does not round-trip")
            }
            let answer = ControlAnswer(line: line)
            precondition(ControlAnswer(line: answer.line) == answer, "an answer does not round-trip")
        }
    }
}
