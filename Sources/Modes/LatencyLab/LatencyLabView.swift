public import ModeKit

/// The view of the latency laboratory.
public protocol LatencyLabView: ModeView {
    /// Shows a state.
    func show(_ state: LatencyLabScreenState)
}
