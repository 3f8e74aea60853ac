public import ModeKit

/// The view of the latency laboratory.
public typealias LatencyLabView = StateView<LatencyLabScreenState>
