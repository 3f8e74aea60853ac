internal import ReportKit
internal import UAVLink

/// Events while links are measured.
package enum MeasuringEvent: Hashable, Sendable {
    /// A link is being opened.
    case opening(MeasuredLink)
    /// A link could not be opened, and why.
    case leftOut(MeasuredLink, reason: String)
    /// A condition of the network begins: its number from 1, their count, its text as in `--impair`.
    case condition(number: Int, count: Int, text: String)
    /// A link's turn begins.
    case turn(MeasuredLink)
    /// A round of all links has ended: its number from 1, how many are planned, how long the condition has run, and how
    /// long it may run; `nil` where there is no such plan.
    case round(number: Int, of: Int? = nil, elapsed: Duration, planned: Duration? = nil)
    /// Figures of the current condition so far; at its end, the final ones.
    case figures([RunningFigures])

    /// The line that the command line prints; `nil` for events that it does not print.
    package var line: String? {
        switch self {
        case .opening(let link): "opening \(link.rawValue)"
        case .leftOut(let link, let reason): "\(link.rawValue) is left out: \(reason)"
        case .condition(let number, let count, let text): "condition \(number) of \(count): \(text)"
        case .round(let number, let count, let elapsed, let planned):
            "  round \(number)" + (count.map { " of \($0)" } ?? "") + ", " + Self.time(elapsed, of: planned)
        case .turn, .figures: nil
        }
    }

    private static func time(_ elapsed: Duration, of planned: Duration?) -> String {
        guard let planned else { return "\(seconds(elapsed)) s" }
        // A round is measured to its end.
        return elapsed < planned + .seconds(1)
            ? "\(seconds(elapsed)) of \(seconds(planned)) s"
            : "\(seconds(elapsed)) s; \(seconds(planned)) s were planned"
    }

    private static func seconds(_ duration: Duration) -> Int { Int(saturating: duration.inSeconds) }
}
