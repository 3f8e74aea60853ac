internal import ReportKit
internal import Trajectories
internal import UAVLink

/// Parses what the user typed at a prompt.
enum IndoorAnswerParser {
    /// A finite number within a range, and nothing else: of what follows it, nobody knows whether it may be ignored.
    static func number(_ text: String, in range: ClosedRange<Double>, _ what: String) -> Result<Double, Wrong> {
        guard let value = Double(decimal: text), range.contains(value) else {
            return .failure(Wrong(text: "expected \(what)"))
        }
        return .success(value)
    }

    /// `path`, degrees, or `to X Y`.
    static func heading(_ text: String) -> Result<PlannedPoint.Heading, Wrong> {
        let words = text.lowercased().split(separator: " ")
        switch words.first {
        case "path" where words.count == 1: return .success(.alongPath)
        case "to" where words.count == 3:
            guard let x = Double(decimal: words[1]), let y = Double(decimal: words[2]) else { break }
            return .success(.towards(xMetres: x, yMetres: y))
        case .some(let word) where words.count == 1:
            guard let degrees = Double(decimal: word), abs(degrees) <= 360 else { break }
            return .success(.fixed(radians: Heading.radians(degrees: degrees)))
        default: break
        }
        return .failure(Wrong(text: "expected degrees, 'path', or 'to X Y' in metres"))
    }

    /// `straight`, or metres.
    static func deviation(_ text: String) -> Result<TrajectoryOptions.Shape, Wrong> {
        if text.lowercased() == "straight" { return .success(.straight) }
        return number(text, in: 0.01...10, "metres from 0.01 to 10, or 'straight'")
            .map { .smoothed(deviationMetres: $0) }
    }

    /// A parse error: a short text with what was expected.
    struct Wrong: Error {
        var text: String
    }
}
