package import TextScreen

/// A prompt for a line of text.
package struct Question: Hashable {
    /// Identifies the prompt: a new id resets the input to ``text``; with the same id the typed text is kept.
    var id: AnyHashable
    var title: String
    /// The initial text.
    var text: String
    var hint: String
    /// The problem with the last answer; empty when there is none.
    var note: String
    /// Whether Tab completes the typed text.
    var completes = false

    package init(id: AnyHashable, title: String, text: String, hint: String, note: String, completes: Bool = false) {
        self.id = id
        self.title = title
        self.text = text
        self.hint = hint
        self.note = note
        self.completes = completes
    }
}

/// The layer over a screen for a prompt or a confirmation; the confirmation has priority.
package struct DialogLayer {
    /// The meaning of an event.
    package enum Outcome: Equatable {
        case confirm, force, decline
        case answer(String)
        case complete(String)
        case cancel
        /// The typed text or the cursor has changed.
        case edited
        /// The event has no meaning and must not reach the screen below.
        case swallowed
        /// The event has no meaning here.
        case ignored
    }

    private var field = TextField()
    private var question: Question?
    private var confirmation: ConfirmationRequest?
    private var area: ScreenArea?

    package init() {}

    /// Whether letters are text input.
    package var takesText: Bool { question != nil }

    /// Shows a prompt, a confirmation, or none.
    package mutating func show(_ question: Question?, _ confirmation: ConfirmationRequest?) {
        if let question, question.id != self.question?.id { field.set(question.text) }
        self.question = question
        self.confirmation = confirmation
    }

    /// Sets the area in which it will be drawn, for clicks.
    package mutating func resize(to area: ScreenArea) { self.area = area }

    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        if let confirmation {
            _ = Dialogs.draw(confirmation, on: &canvas, in: area)
        } else if let question {
            Dialogs.draw(question, field: field, on: &canvas, in: area)
        }
    }

    /// Handles an event; `nil` when no dialog is open, so that the event is for the screen.
    package mutating func handle(_ event: InputEvent) -> Outcome? {
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

    /// Enter does not answer: it may have been meant for the screen below.
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
        guard let confirmation, mouse.action == .press else { return .ignored }
        let keys = area.map { area in
            area.placed { Dialogs.draw(confirmation, on: &$0, in: area) }
        }
        if keys?.yes?.contains(row: mouse.row, column: mouse.column) == true { return .confirm }
        if keys?.no?.contains(row: mouse.row, column: mouse.column) == true { return .decline }
        return .swallowed
    }

    /// The keys of the open dialog; `nil` when there is none.
    package var help: [KeyHelp]? {
        if let confirmation {
            return [
                confirmation.needsForce ? KeyHelp("F", "force despite failed check") : KeyHelp("y", "yes"),
                KeyHelp("n Esc", "no"),
            ]
        }
        return question.map { question in
            [KeyHelp("Enter", "accept"), KeyHelp("Esc", "cancel")]
                + (question.completes ? [KeyHelp("Tab", "complete")] : [])
        }
    }
}
