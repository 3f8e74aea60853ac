public import ModeKit

/// What the terminal's screen can do.
public protocol TerminalView: ModuleView {
    /// Shows this.
    func show(_ state: TerminalScreenState)
}
