package import ModeKit

/// The view of the menu.
package typealias MenuView = StateView<MenuScreenState>
