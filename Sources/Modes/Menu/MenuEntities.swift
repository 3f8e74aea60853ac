public import ModeKit

/// A mode that can be chosen.
public struct MenuItem: Hashable, Sendable {
    /// The mode.
    public var mode: Mode
    /// Its name for people.
    public var title: String
    /// What one does in it, in one line.
    public var explanation: String

    /// A mode that can be chosen.
    public init(_ mode: Mode, title: String, explanation: String) {
        self.mode = mode
        self.title = title
        self.explanation = explanation
    }
}

/// What the menu shows.
public struct MenuScreenState: Hashable, Sendable {
    /// What can be chosen, in its order; the first has the key 1.
    public var items: [MenuItem] = []
    /// Which one Enter would open.
    public var selected = 0
    /// What a new person does next; `nil` when that is known.
    public var advice: String?

    /// An empty menu.
    public init() {}
}

/// What the person did in the menu.
public enum MenuIntent: Hashable, Sendable {
    /// Went up (-1) or down (1).
    case move(Int)
    /// Took the chosen one.
    case open
    /// Took the one with that number, from 0.
    case openItem(Int)
    /// Wants to log in to a further vehicle.
    case logIn
    /// Wants to log out of the selected vehicle.
    case logOut
    /// Wants to leave.
    case quit
}
