public import TextScreen

/// A question for a line of text, as it is to be shown.
public struct Question: Hashable {
    /// Which: another one begins with its own text; what a person types into one stays when its note changes.
    var id: AnyHashable
    var title: String
    /// What stands in the line at first.
    var text: String
    var hint: String
    /// What was wrong with the last answer; empty when nothing.
    var note: String
    /// Whether Tab completes what was typed.
    var completes = false

    /// A question.
    public init(id: AnyHashable, title: String, text: String, hint: String, note: String, completes: Bool = false) {
        self.id = id
        self.title = title
        self.text = text
        self.hint = hint
        self.note = note
        self.completes = completes
    }
}

/// What stands over a screen while something is asked: a line of text, or a question to agree to, which comes first.
public struct QuestionLayer {
    /// What a person said.
    public enum Outcome: Equatable {
        case confirm, force, decline
        case answer(String)
        case complete(String)
        case cancel
        /// The line is another one now.
        case edited
        /// It means nothing here, and nothing to the screen below.
        case swallowed
        /// It means nothing here.
        case ignored
    }

    private var field = TextField()
    private var question: Question?
    private var confirmation: ConfirmationRequest?
    private var keys = Dialogs.Keys()

    /// Nothing yet.
    public init() {}

    /// Whether letters are typed into a line.
    public var takesText: Bool { question != nil }

    /// What is asked now.
    public mutating func show(_ question: Question?, _ confirmation: ConfirmationRequest?) {
        if let question, question.id != self.question?.id { field.set(question.text) }
        self.question = question
        self.confirmation = confirmation
    }

    /// Draws what was last shown.
    public mutating func draw(on canvas: inout Canvas, in area: ScreenArea) {
        keys = Dialogs.Keys()
        if let confirmation {
            keys = Dialogs.draw(confirmation, on: &canvas, in: area)
        } else if let question {
            Dialogs.draw(question, field: field, on: &canvas, in: area)
        }
    }

    /// What an event means; `nil` when nothing is asked, so that it is the screen's.
    public mutating func handle(_ event: InputEvent) -> Outcome? {
        guard question != nil || confirmation != nil else { return nil }
        switch event {
        case .key(let key) where key.phase != .release: return handle(key)
        case .mouse(let mouse): return handle(mouse)
        case .paste(let text) where confirmation == nil:
            field.insert(text)
            return .edited
        default: return .ignored
        }
    }

    private mutating func handle(_ key: KeyEvent) -> Outcome {
        if let confirmation { return Self.answer(key, confirmation) }
        switch (key.key, key.modifiers) {
        case (.enter, []): return .answer(field.text)
        case (.escape, []): return .cancel
        case (.tab, []) where question?.completes == true: return .complete(field.text)
        default: return field.handle(key) ? .edited : .ignored
        }
    }

    /// Enter decides nothing: it may have been meant for what lies below.
    private static func answer(_ key: KeyEvent, _ confirmation: ConfirmationRequest) -> Outcome {
        switch (key.key, key.modifiers) {
        case (.escape, []), (.character("n"), []): .decline
        case (.character("y"), []) where !confirmation.needsForce: .confirm
        case (.character("f"), .shift) where confirmation.needsForce,
            (.character("F"), []) where confirmation.needsForce,
            (.character("F"), .shift) where confirmation.needsForce:
            .force
        case (.enter, _): .swallowed
        default: .ignored
        }
    }

    private func handle(_ mouse: MouseEvent) -> Outcome {
        guard confirmation != nil, mouse.action == .press else { return .ignored }
        if keys.yes?.contains(row: mouse.row, column: mouse.column) == true { return .confirm }
        if keys.no?.contains(row: mouse.row, column: mouse.column) == true { return .decline }
        return .swallowed
    }

    /// The keys while something is asked; `nil` while nothing is.
    public var help: [KeyHelp]? {
        if let confirmation {
            return [
                confirmation.needsForce ? KeyHelp("F", "do it although a check failed") : KeyHelp("y", "yes"),
                KeyHelp("n Esc", "no"),
            ]
        }
        return question.map { question in
            [KeyHelp("Enter", "take it"), KeyHelp("Esc", "cancel")]
                + (question.completes ? [KeyHelp("Tab", "complete")] : [])
        }
    }
}
