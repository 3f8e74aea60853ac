internal import ReportKit
internal import UAVLink

/// What happens while links are measured.
public enum MeasuringEvent: Hashable, Sendable {
    /// A link is being opened.
    case opening(LaboratoryLink)
    /// A link could not be opened, and why.
    case leftOut(LaboratoryLink, reason: String)
    /// A condition of the network begins: its number from 1, of how many, as a person writes it.
    case condition(number: Int, count: Int, text: String)
    /// It is a link's turn.
    case turn(LaboratoryLink)
    /// A round of all links has ended: its number from 1, how long the condition has run, how long it is to run.
    case round(number: Int, elapsed: Duration, planned: Duration)
    /// What the condition under way has come to so far; with its end, what it came to.
    case figures([RunningFigures])

    /// The line that the command line prints; `nil` for what it prints nothing of.
    public var line: String? {
        switch self {
        case .opening(let link): "opening \(link.rawValue)"
        case .leftOut(let link, let reason): "\(link.rawValue) is left out: \(reason)"
        case .condition(let number, let count, let text): "condition \(number) of \(count): \(text)"
        case .round(let number, let elapsed, let planned):
            "  round \(number), \(Int(saturating: elapsed.inSeconds)) of \(Int(saturating: planned.inSeconds)) s"
        case .turn, .figures: nil
        }
    }
}
