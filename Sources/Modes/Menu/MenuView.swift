public import ModeKit

/// The view of the menu.
public protocol MenuView: ModeView {
    /// Shows a screen state.
    func show(_ state: MenuScreenState)
}
