import ProgramKit
import ReportKit
import Synchronization
import UAVLink

/// Shows the progress of long work in one line that is overwritten; nothing when standard error is not a terminal.
final class ProgressLine: Sendable {
    private let what: String
    private let isShown: Bool
    private let percent = Atomic(-1)

    init(_ what: String, _ console: Console) {
        self.what = what.sanitizedLine
        isShown = !console.isQuiet && StandardStream.error.isTerminal
    }

    /// A callback for the fraction done, 0 to 1, from any thread.
    var onProgress: @Sendable (Double) -> Void {
        { [self] in tell($0) }
    }

    /// Shows what is still missing instead of a fraction, from any thread.
    func tell(_ words: String) {
        if isShown { StandardStream.error.write("\r\u{1B}[K\(what): \(words.sanitizedLine)") }
    }

    /// Erases the line.
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
