public import ModeKit

/// What the log-in's screen can do.
public protocol LoginView: ModuleView {
    /// Shows this.
    func show(_ state: LoginScreenState)
}
