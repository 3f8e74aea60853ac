public import ModeKit

/// The view of the latency laboratory.
public protocol LatencyLabView: ModeView {
    /// Shows a state.
    func show(_ state: LatencyLabScreenState)
    /// The largest scroll offset of the last drawn page, lines.
    var maximumScroll: Int { get }
}
