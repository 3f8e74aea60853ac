internal import ReportKit
internal import Synchronization

/// Progress of long work: written on a worker thread, read on the main actor.
final class IndoorProgress: Sendable {
    let text: String
    private let thousandths = Atomic(0)

    init(_ text: String) { self.text = text }

    var line: IndoorProgressLine {
        IndoorProgressLine(text: text, fraction: Double(thousandths.load(ordering: .relaxed)) / 1000)
    }

    /// The progress callback: takes the fraction done, from any thread.
    var onProgress: @Sendable (Double) -> Void {
        { [self] fraction in
            guard fraction.isFinite else { return }
            thousandths.store(Int(saturating: min(max(fraction, 0), 1) * 1000), ordering: .relaxed)
        }
    }
}
