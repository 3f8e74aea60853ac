package import ModeKit

/// An entry of the menu.
package struct MenuItem: Hashable, Sendable {
    package var mode: Mode
    /// The displayed name.
    package var title: String
    /// What the mode does, in one line.
    package var explanation: String
    /// What the selected vehicle lacks for this mode; `nil` when the mode can be used.
    package var obstacle: String?

    /// An entry of the menu.
    package init(_ mode: Mode, title: String, explanation: String) {
        self.mode = mode
        self.title = title
        self.explanation = explanation
    }
}

/// The screen state of the menu.
package struct MenuScreenState: Hashable, Sendable {
    /// The entries in order; the first has the key 1.
    package var items: [MenuItem] = []
    /// The index of the entry that Enter opens.
    package var selected = 0
    /// A hint for a new user; `nil` when not needed.
    package var advice: String?
    /// Whether the selected vehicle may be logged out of: not in the air.
    package var allowsLogOut = true
    /// The question before a log-out.
    package var confirmation: ConfirmationRequest?

    package init() {}
}

/// The user's intents in the menu.
package enum MenuIntent: Hashable, Sendable {
    /// Move up (-1) or down (1).
    case move(Int)
    /// Open the selected entry.
    case open
    /// Open the entry with this index.
    case openItem(Int)
    /// Log in to another vehicle.
    case logIn
    /// Log out of the selected vehicle; after a confirmation if something would be lost.
    case logOut
    /// Confirm the log-out.
    case confirm
    /// Decline it.
    case decline
    /// Quit the program.
    case quit
}
