public import ModeKit

/// The view of telemetry.
public protocol TelemetryView: ModeView {
    /// Shows a state.
    func show(_ state: TelemetryScreenState)
}
