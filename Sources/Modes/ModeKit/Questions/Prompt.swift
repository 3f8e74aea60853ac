/// What a prompt of a mode asks for.
package protocol PromptKind: Hashable, Sendable {
    /// Whether Tab completes the typed text.
    var completes: Bool { get }
}

extension PromptKind {
    /// Nothing is completed by default.
    package var completes: Bool { false }
}

/// A prompt for a line of text.
package struct Prompt<Kind: PromptKind>: Hashable, Sendable {
    /// What is asked for.
    package var kind: Kind
    package var title: String
    /// The initial or completed text of the line.
    package var text: String
    /// What is asked for, where the title does not say it: a range, a unit; may be empty.
    package var about: String
    /// An example of a valid answer, without words around it: the screen says that it is one.
    package var hint: String
    /// An error in the last answer, or possible completions; empty when there is none.
    package var note: String
    /// Incremented whenever ``text`` is replaced by the Presenter, so that the screen takes it over.
    package var revision: Int

    package init(
        _ kind: Kind, title: String, text: String = "", about: String = "", hint: String = "", note: String = "",
        revision: Int = 0
    ) {
        self.kind = kind
        self.title = title
        self.text = text
        self.about = about
        self.hint = hint
        self.note = note
        self.revision = revision
    }
}
