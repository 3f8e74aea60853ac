package import ModeKit

/// The view of the indoor mode.
package typealias IndoorView = StateView<IndoorScreenState>
