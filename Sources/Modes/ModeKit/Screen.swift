public import TextScreen

/// A module's view on a cell grid.
///
/// Drawing is pure: what stands on the canvas depends on what the Presenter last showed, nothing else, so that a test can
/// read it. Keys become intents of the Presenter.
@MainActor
public protocol Screen: ModuleView {
    /// Draws what was last shown.
    func draw(on canvas: inout Canvas, in area: ScreenArea)
    /// Takes something from the terminal; `false` when it means nothing here.
    func handle(_ event: InputEvent) -> Bool
    /// What the keys do here, for the help and for the line at the bottom, the important first.
    var keys: [KeyHelp] { get }
    /// Whether letters are text here, and no commands.
    var takesText: Bool { get }
    /// To be called when there is something new to draw.
    var needsFrame: (() -> Void)? { get set }
    /// The screen was left or came to the front, the terminal lost the focus or got it.
    func focusChanged(_ hasFocus: Bool)
}

extension Screen {
    /// Most screens have no text to take.
    public var takesText: Bool { false }
    /// Most screens do not care.
    public func focusChanged(_ hasFocus: Bool) {}
}

/// What a key does.
public struct KeyHelp: Hashable, Sendable {
    /// The keys, as they are written on a keyboard.
    public var keys: String
    /// What they do, in a few words.
    public var action: String

    /// What a key does.
    public init(_ keys: String, _ action: String) {
        self.keys = keys
        self.action = action
    }
}
