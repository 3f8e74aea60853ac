public import ModeKit

/// What the telemetry screen can do.
public protocol TelemetryView: ModuleView {
    /// Shows this.
    func show(_ state: TelemetryScreenState)
    /// How many lines of the focused panel were seen when it was last drawn; scrolling stops at what is there.
    var visibleLines: Int { get }
}
