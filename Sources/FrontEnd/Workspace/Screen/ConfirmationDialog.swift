internal import ModeKit
internal import TextScreen

/// The confirmation over every screen: what its keys do, and how it is drawn.
@MainActor
struct ConfirmationDialog {
    /// What a key did.
    enum Outcome: Equatable {
        /// It answers.
        case send(WorkspaceIntent)
        /// What is shown has changed.
        case changed
        /// Nothing.
        case ignored
    }

    private var confirmation: Confirmation?
    /// The reason for the answer, where one is asked for.
    private var reason = TextField()
    /// The number of lines above the first one shown.
    private var scroll = 0

    /// Shows a confirmation, or none; what was typed stays while it is the same one.
    mutating func show(_ confirmation: Confirmation?) {
        guard confirmation != self.confirmation else { return }
        // Another text of the same question, as when the other pilot has lost control meanwhile.
        let isSame = confirmation?.question == self.confirmation?.question
        // Where only figures in the text have changed, what was scrolled to stays.
        if !isSame || confirmation?.title != self.confirmation?.title { scroll = 0 }
        self.confirmation = confirmation
        guard let text = confirmation?.reason, !isSame else { return }
        reason.set(text)
        // As in every prompt with a preset: what is typed replaces it.
        reason.selectAll()
    }

    /// Whether one is open.
    var isOpen: Bool { confirmation != nil }
    /// What it asks; `nil` when none is open.
    var question: String? { confirmation.map { "\($0.title) \($0.text)" } }
    /// Whether it asks whether to land at once.
    var stops: Bool { confirmation?.question == .emergencyLand }
    /// Whether letters are text input.
    var takesText: Bool { confirmation?.reason != nil }
    /// The keys that answer, and those that show the rest of its text where an area is too small for it.
    func keys(in area: ScreenArea) -> [KeyHelp] {
        guard let confirmation, let box = box(in: area) else { return [] }
        return confirmation.answers.help + (box.scrolls(in: Self.place(in: area)) ? [QuestionBox.scrollHelp] : [])
    }

    // MARK: Input

    /// Handles a key while one is open.
    mutating func handle(_ key: KeyEvent, in area: ScreenArea) -> Outcome {
        guard let confirmation else { return .ignored }
        if scroll(by: .key(key), in: area) { return .changed }
        switch confirmation.answers.answer(key) {
        case .confirm where takesText: return .send(.confirmWithReason(reason.text))
        case .confirm: return .send(.confirm)
        case .decline: return .send(.decline)
        case .swallowed: return .ignored
        case .ignored: return takesText && reason.handle(key) ? .changed : .ignored
        }
    }

    /// Scrolls by a key or the wheel; `false` if that is not what it does here.
    mutating func scroll(by event: InputEvent, in area: ScreenArea) -> Bool {
        let place = Self.place(in: area)
        guard let next = box(in: area)?.scrolled(by: event, from: scroll, in: place) else { return false }
        scroll = next
        return true
    }

    /// Whether a key may answer it: what stops or declines acts at once, a reason is only typed until Enter.
    func mayBeAnswered(by key: KeyEvent) -> Bool {
        let stops =
            key.isPress(of: .character(" ")) || key.isPress(of: .escape) || key.isPress(of: .character("c"), .control)
        return !stops && (!takesText || key.key == .enter)
    }

    /// Inserts a pasted text into the reason.
    mutating func paste(_ text: String) { reason.insert(text) }

    // MARK: Drawing

    /// Draws the open one.
    func draw(on canvas: inout Canvas, in area: ScreenArea) {
        guard let box = box(in: area) else { return }
        let place = Self.place(in: area)
        box.draw(on: &canvas, in: place, scroll: scroll)
        if let field = box.field(in: place) { reason.draw(on: &canvas, in: field, hasFocus: true) }
    }

    private static func place(in area: ScreenArea) -> ScreenArea { area.inset(left: 1, right: 1) }

    private func box(in area: ScreenArea) -> QuestionBox? {
        confirmation.map { confirmation in
            let lines = confirmation.text.wrapped(to: QuestionBox.width(in: Self.place(in: area)))
            return QuestionBox(
                title: confirmation.title.hasSuffix("?") ? confirmation.title : confirmation.title + "?",
                lines: lines.map { [.init($0)] }, answers: confirmation.answers,
                tone: confirmation.isDangerous ? .danger : .warning, hasField: takesText)
        }
    }
}

extension Confirmation {
    /// Whether it stops or moves a vehicle, takes control or loses something: then a letter confirms.
    fileprivate var isDangerous: Bool { question != .commandAll }

    /// Its answers, in the form of all screens.
    var answers: ConfirmationAnswers {
        ConfirmationAnswers(
            reason != nil ? .line : isDangerous ? .yes : .enter, action: action,
            otherwise: otherwise ?? usualOtherwise)
    }

    /// What stays if it is declined.
    private var usualOtherwise: String {
        switch question {
        case .emergencyLand: "no landing"
        case .quit: "uavlink stays open"
        case .commandAll: "only the selected vehicle is commanded"
        case .takeCommand: "control stays where it is"
        case .fly(.takeOff): "it stays on the ground"
        case .fly(.disarm): "the motors stay as they are"
        case .fly: "it stays where it is"
        }
    }
}
