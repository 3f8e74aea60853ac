public import ModeKit

/// The view of the menu.
public typealias MenuView = StateView<MenuScreenState>
