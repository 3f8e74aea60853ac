package import ModeKit

/// The view of the latency laboratory.
package typealias LatencyLabView = StateView<LatencyLabScreenState>
