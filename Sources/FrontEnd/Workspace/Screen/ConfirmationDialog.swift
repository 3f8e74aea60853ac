internal import ModeKit
internal import TextScreen

/// Draws the confirmation dialog.
@MainActor
enum ConfirmationDialog {
    /// The keys of the dialog.
    static func answers(to confirmation: Confirmation) -> [KeyHelp] {
        confirmation.reason == nil
            ? [KeyHelp("y", confirmation.action), KeyHelp("n Esc", "no")]
            : [KeyHelp("Enter", confirmation.action), KeyHelp("Esc", "cancel")]
    }

    static func draw(_ confirmation: Confirmation, _ reason: TextField, on canvas: inout Canvas, in area: ScreenArea) {
        let width = min(area.columns - 2, 60)
        let lines = confirmation.text.wrapped(to: width - 4).count
        let asksWhy = confirmation.reason != nil
        let box = area.centred(rows: lines + (asksWhy ? 7 : 5), columns: width)
        canvas.fill(box)
        let isDangerous = confirmation.question != .commandAll
        let inside = canvas.box(
            box, title: confirmation.title, isDangerous ? .tone(.danger) : .tone(.warning),
            titleStyle: isDangerous ? .tone(.danger) : .tone(.warning)
        ).inset(left: 1, right: 1)
        canvas.writeParagraph(confirmation.text, in: inside.inset(top: 1))
        if asksWhy {
            reason.draw(on: &canvas, in: inside.inset(top: lines + 2), hasFocus: true)
            canvas.write(
                [.init("Enter", .title), .init(" \(confirmation.action)   "), .init("Esc", .title), .init(" cancel")],
                row: inside.rows - 1, in: inside)
            return
        }
        canvas.write(
            [
                .init("y", .title), .init(" \(confirmation.action)   "), .init("n", .title), .init(" or "),
                .init("Esc", .title), .init(" no"),
            ], row: inside.rows - 1, in: inside)
    }
}
