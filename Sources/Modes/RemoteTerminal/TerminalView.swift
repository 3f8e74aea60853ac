public import ModeKit

/// The view of the terminal.
public typealias TerminalView = StateView<TerminalScreenState>
