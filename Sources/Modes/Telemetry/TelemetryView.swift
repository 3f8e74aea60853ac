package import ModeKit

package typealias TelemetryView = StateView<TelemetryScreenState>
