package import TextScreen

/// A prompt for a line of text.
package struct Question: Hashable {
    /// Identifies the prompt: a new id resets the input to ``text``; with the same id the typed text is kept.
    var id: AnyHashable
    var title: String
    /// The initial text.
    var text: String
    /// What is asked for, where the title does not say it: a range, a unit.
    var about: String
    /// An example of an answer.
    var hint: String
    /// The problem with the last answer; empty when there is none.
    var note: String
    /// Whether Tab completes the typed text.
    var completes = false
    /// Whether the text is what was typed, completed: it is continued, and not replaced.
    var isCompleted = false

    package init(
        id: AnyHashable, title: String, text: String, about: String = "", hint: String, note: String,
        completes: Bool = false, isCompleted: Bool = false
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.about = about
        self.hint = hint
        self.note = note
        self.completes = completes
        self.isCompleted = isCompleted
    }

    /// The hint, so marked that it is not taken for a given value; empty without one.
    var example: String { bareHint.isEmpty ? "" : "for example: \(bareHint)" }

    /// What is said when nothing was typed.
    var expectation: String {
        let expected = bareHint.isEmpty ? "type an answer" : "expected something like \(bareHint)"
        return "nothing was typed; \(expected), or Esc to cancel"
    }

    /// The hint without the words that some begin with.
    private var bareHint: Substring {
        let words = ["for example:", "for example", "example:"].first { hint.hasPrefix($0) } ?? ""
        return hint.dropFirst(words.count).drop { $0 == " " }
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
    /// Whether Enter was pressed on an empty line.
    private var isMissing = false
    /// The text that the prompt's note is about; `nil` for a note that is about none, such as possible completions.
    private var refused: String?
    /// The number of lines of a confirmation above the first one shown.
    private var scroll = 0

    package init() {}

    /// Whether a confirmation is open.
    package var isAsking: Bool { confirmation != nil }
    /// What the open confirmation asks; `nil` without one.
    package var openQuestion: String? { confirmation?.title }
    /// Whether letters are text input.
    package var takesText: Bool { question != nil }

    /// Shows a prompt, a confirmation, or none.
    package mutating func show(_ question: Question?, _ confirmation: ConfirmationRequest?) {
        if let question, question.id != self.question?.id {
            field.set(question.text)
            // A value that the user has not typed, the name of a file too, is replaced by what is typed; what was completed is
            // continued, and what was refused is corrected.
            if !question.isCompleted, question.note.isEmpty { field.selectAll() }
        }
        if question != self.question {
            isMissing = false
            let isCompletion = question?.isCompleted == true && question?.id != self.question?.id
            refused = isCompletion ? nil : field.text
        }
        if confirmation?.isSameQuestion(as: self.confirmation) != true { scroll = 0 }
        self.question = question
        self.confirmation = confirmation
    }

    /// Sets the area in which it will be drawn, for clicks.
    package mutating func resize(to area: ScreenArea) { self.area = area }

    package func draw(on canvas: inout Canvas, in area: ScreenArea) {
        if let confirmation {
            Dialogs.box(confirmation, in: area).draw(on: &canvas, in: area, scroll: scroll)
        } else if let question {
            // What was wrong with another text says nothing of this one.
            let isStale = refused.map { $0 != field.text } ?? false
            let note = isMissing ? question.expectation : isStale ? "" : question.note
            Dialogs.draw(question, note: note, field: field, on: &canvas, in: area)
        }
    }

    /// Handles an event; `nil` when no dialog is open, so that the event is for the screen.
    package mutating func handle(_ event: InputEvent) -> Outcome? {
        if let confirmation { return handle(event, confirmation) }
        guard question != nil else { return nil }
        switch event {
        case .key(let key) where key.phase != .release: return handle(key)
        case .paste(let text):
            field.insert(text)
            isMissing = false
            return .edited
        default: return .ignored
        }
    }

    private mutating func handle(_ key: KeyEvent) -> Outcome {
        switch (key.key, key.modifiers) {
        case (.enter, []):
            isMissing = field.text.allSatisfy(\.isWhitespace)
            // If it is refused for the same reason, nothing else is shown anew.
            refused = field.text
            return isMissing ? .edited : .answer(field.text)
        case (.escape, []), (.character("c"), .control): return .cancel
        case (.tab, []) where question?.completes == true: return .complete(field.text)
        default:
            guard field.handle(key) else { return .ignored }
            isMissing = false
            return .edited
        }
    }

    private mutating func handle(_ event: InputEvent, _ confirmation: ConfirmationRequest) -> Outcome {
        if let area, let next = Dialogs.box(confirmation, in: area).scrolled(by: event, from: scroll, in: area) {
            scroll = next
            return .edited
        }
        switch event {
        case .key(let key):
            return switch confirmation.answers.answer(key) {
            case .confirm: confirmation.needsForce ? .force : .confirm
            case .decline: .decline
            case .swallowed: .swallowed
            case .ignored: .ignored
            }
        case .mouse(let mouse) where mouse.action == .press: return click(mouse, confirmation)
        default: return .ignored
        }
    }

    /// A click does not force: it may have been meant for something else.
    private func click(_ mouse: MouseEvent, _ confirmation: ConfirmationRequest) -> Outcome {
        let keys = area.map { area in
            area.placed { Dialogs.box(confirmation, in: area).draw(on: &$0, in: area, scroll: scroll) }
        }
        if keys?.yes?.contains(row: mouse.row, column: mouse.column) == true { return .confirm }
        if keys?.no?.contains(row: mouse.row, column: mouse.column) == true { return .decline }
        return .swallowed
    }

    /// The keys of the open dialog; `nil` when there is none.
    package var help: [KeyHelp]? {
        if let confirmation {
            let isCut = area.map { Dialogs.box(confirmation, in: $0).scrolls(in: $0) } ?? false
            return confirmation.answers.help + (isCut ? [QuestionBox.scrollHelp] : [])
        }
        return question.map { question in
            [KeyHelp("Enter", "accept"), KeyHelp("Esc", "cancel")]
                + (question.completes ? [KeyHelp("Tab", "complete")] : [])
        }
    }
}
