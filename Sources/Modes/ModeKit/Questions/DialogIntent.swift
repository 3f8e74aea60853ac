/// The answers to a prompt or a confirmation; the intent of each mode with dialogs has these cases.
package protocol DialogIntent {
    static var confirm: Self { get }
    static var decline: Self { get }
    static var cancelPrompt: Self { get }
    static func answer(_ text: String) -> Self
    /// Accepts a confirmation although a check failed; `nil` in a mode without such confirmations.
    static var forced: Self? { get }
    /// Asks to complete the typed text; `nil` in a mode whose prompts complete nothing.
    static func completion(of text: String) -> Self?
}

extension DialogIntent {
    /// No confirmation can be forced.
    package static var forced: Self? { nil }
    /// Nothing is completed.
    package static func completion(of text: String) -> Self? { nil }
}

extension DialogLayer.Outcome {
    /// Passes the intent on that this outcome stands for.
    ///
    /// - Parameter redraw: called when the typed text has changed.
    /// - Returns: whether the event had a meaning.
    package func pass<Intent: DialogIntent>(to send: (Intent) -> Void, redraw: () -> Void) -> Bool {
        let intent: Intent?
        switch self {
        case .confirm: intent = .confirm
        case .force: intent = .forced
        case .decline: intent = .decline
        case .answer(let text): intent = .answer(text)
        case .complete(let text): intent = .completion(of: text)
        case .cancel: intent = .cancelPrompt
        case .edited:
            redraw()
            return true
        case .swallowed: return true
        case .ignored: return false
        }
        intent.map(send)
        return intent != nil
    }
}
