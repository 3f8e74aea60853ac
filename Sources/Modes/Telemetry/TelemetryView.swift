public import ModeKit

/// The view of telemetry.
public protocol TelemetryView: ModeView {
    /// Shows a state.
    func show(_ state: TelemetryScreenState)
    /// The number of visible lines of the focused panel when it was last drawn; limits scrolling.
    var visibleLines: Int { get }
}
