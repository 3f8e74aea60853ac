internal import ModeKit
internal import TextScreen

extension LoginDialog {
    /// The box of the dialog for an area.
    func box(in area: ScreenArea) -> QuestionBox {
        let width = QuestionBox.width(in: area)
        var parts = paragraphs.filter { !$0.isEmpty }.map { paragraph in
            paragraph.wrapped(to: width).map { [Canvas.Span($0)] }
        }
        if !advice.isEmpty { parts.append(advice.wrapped(to: width).map { [Canvas.Span($0, .tone(.accent))] }) }
        return QuestionBox(
            title: title, lines: Array(parts.joined(separator: [[]])), answers: answers, hasField: entry != nil)
    }

    /// Its answers. Enter confirms nothing but a line that was typed: it may have been meant for the form.
    var answers: ConfirmationAnswers {
        let key: ConfirmationAnswers.Key = entry == nil ? .yes : .line
        return yes.map { ConfirmationAnswers(key, action: $0, otherwise: no) } ?? ConfirmationAnswers(closing: no)
    }
}
