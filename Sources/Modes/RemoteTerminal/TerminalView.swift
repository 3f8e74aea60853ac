public import ModeKit

/// The view of the terminal.
public protocol TerminalView: ModeView {
    /// Shows a state.
    func show(_ state: TerminalScreenState)
}
