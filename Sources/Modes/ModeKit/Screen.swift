package import TextScreen

/// A mode's view on a cell grid.
///
/// Drawing depends only on the last screen state and the area, and changes nothing, so that tests can check the canvas. Keys
/// become intents for the Presenter; so does the size, where the Presenter needs it.
@MainActor
package protocol Screen: ModeView {
    /// Sets the area in which it will be drawn; called before the first drawing, and after every change of the terminal's size.
    func resize(to area: ScreenArea)
    /// Draws the last screen state.
    func draw(on canvas: inout Canvas, in area: ScreenArea)
    /// Handles a terminal event; `false` when it has no meaning here.
    func handle(_ event: InputEvent) -> Bool
    /// The keys and their actions, for the help and the line at the bottom, most important first.
    var keys: [KeyHelp] { get }
    /// The keys that do nothing now but say why, or ask before they act all the same: the command palette says it of their actions.
    var refusedKeys: [RefusedKey] { get }
    /// What the screen says in lines that may be too short for it here, whole, by label: for the help. Empty where all of it fits.
    var details: [KeyHelp] { get }
    /// Whether letters are text input, not commands.
    var takesText: Bool { get }
    /// Whether a question is open that takes all keys until it is answered.
    var isAsking: Bool { get }
    /// What the open question asks; `nil` without one. A key that was typed before it was on the screen is no answer.
    var openQuestion: String? { get }
    /// Called by the screen when it must be redrawn.
    var needsFrame: (() -> Void)? { get set }
    /// Called when the terminal gains or loses the focus.
    func focusChanged(_ hasFocus: Bool)
}

extension Screen {
    /// Ignores the area by default.
    package func resize(to area: ScreenArea) {}
    /// No reasons by default.
    package var refusedKeys: [RefusedKey] { [] }
    /// Nothing is cut by default.
    package var details: [KeyHelp] { [] }
    /// No text input by default.
    package var takesText: Bool { false }
    /// No questions by default.
    package var isAsking: Bool { false }
    /// No questions by default.
    package var openQuestion: String? { nil }
    /// Ignores changes of the focus by default.
    package func focusChanged(_ hasFocus: Bool) {}
}

/// The description of a key.
package struct KeyHelp: Hashable, Sendable {
    /// The keys as labelled on a keyboard.
    package var keys: String
    /// The action, in a few words.
    package var action: String

    /// The description of a key.
    package init(_ keys: String, _ action: String) {
        self.keys = keys
        self.action = action
    }
}

/// A key whose action is not possible now, or only after a question about what is said of it.
package struct RefusedKey: Hashable, Sendable {
    /// The key.
    package var help: KeyHelp
    /// Why its action is not possible, in one line.
    package var reason: String

    /// A key with the reason.
    package init(_ help: KeyHelp, _ reason: String) {
        self.help = help
        self.reason = reason
    }
}
