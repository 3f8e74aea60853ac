import ProgramKit
import ReportKit
import Synchronization
import UAVLink

/// How far long work is, in one line that is written over; nothing where standard error is no terminal.
final class ProgressLine: Sendable {
    private let what: String
    private let isShown: Bool
    private let percent = Atomic(-1)

    init(_ what: String, _ console: Console) {
        self.what = what.harmlessLine
        isShown = !console.isQuiet && StandardStream.error.isTerminal
    }

    /// To be called with the fraction done, 0 to 1, from any thread.
    var told: @Sendable (Double) -> Void {
        { [self] in tell($0) }
    }

    /// The line goes away.
    func end() {
        if isShown { StandardStream.error.write("\r\u{1B}[K") }
    }

    private func tell(_ fraction: Double) {
        guard isShown, fraction.isFinite else { return }
        let now = Int(saturating: min(max(fraction, 0), 1) * 100)
        guard percent.exchange(now, ordering: .relaxed) != now else { return }
        StandardStream.error.write("\r\u{1B}[K\(what) \(now) %")
    }
}
