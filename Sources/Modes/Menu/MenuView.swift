public import ModeKit

/// What the menu's screen can do.
public protocol MenuView: ModuleView {
    /// Shows this.
    func show(_ state: MenuScreenState)
}
