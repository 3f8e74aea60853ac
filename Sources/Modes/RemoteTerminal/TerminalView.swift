package import ModeKit

/// The view of the terminal.
package typealias TerminalView = StateView<TerminalScreenState>
