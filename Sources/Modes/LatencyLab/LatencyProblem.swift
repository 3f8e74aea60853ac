internal import FlightControl
internal import UAVLink

/// Why a measurement cannot start, or what the last key or measurement met: shown in the setup for as long as it holds.
enum LatencyProblem: Hashable {
    /// A start was refused: it goes when nothing stands against one any more.
    case refusedStart(String)
    /// It happened, and does not hold on: shown for as long as a notice, and kept among the messages.
    case happened(String, at: MonotonicTime)

    var text: String {
        switch self {
        case .refusedStart(let text), .happened(let text, _): text
        }
    }

    /// What is left of it.
    ///
    /// - Parameter obstacle: what stands against a start now; `nil` for nothing.
    func lasting(_ obstacle: String?, now: MonotonicTime) -> Self? {
        switch self {
        case .refusedStart: obstacle.map { .refusedStart($0) }
        case .happened(_, let at): now - at < Notice.shownFor ? self : nil
        }
    }
}
