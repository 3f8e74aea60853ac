public import ModeKit

/// The view of the indoor mode.
public protocol IndoorView: ModeView {
    /// Shows a state.
    func show(_ state: IndoorScreenState)
}
