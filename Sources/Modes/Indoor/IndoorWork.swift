internal import ReportKit
internal import Synchronization

/// How far long work is: written on its thread, read on the main actor.
final class IndoorWork: Sendable {
    let text: String
    private let thousandths = Atomic(0)

    init(_ text: String) { self.text = text }

    var line: IndoorWorkLine {
        IndoorWorkLine(text: text, fraction: Double(thousandths.load(ordering: .relaxed)) / 1000)
    }

    /// To be called with the fraction done, from any thread.
    var told: @Sendable (Double) -> Void {
        { [self] fraction in
            guard fraction.isFinite else { return }
            thousandths.store(Int(saturating: min(max(fraction, 0), 1) * 1000), ordering: .relaxed)
        }
    }
}
