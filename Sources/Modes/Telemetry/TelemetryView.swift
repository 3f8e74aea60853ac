public import ModeKit

/// The view of telemetry.
public typealias TelemetryView = StateView<TelemetryScreenState>
