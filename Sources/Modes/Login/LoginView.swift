public import ModeKit

/// The view of the log-in.
public protocol LoginView: ModeView {
    /// Shows a screen state.
    func show(_ state: LoginScreenState)
}
