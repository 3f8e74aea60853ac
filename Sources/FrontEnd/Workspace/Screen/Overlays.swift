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

/// The help: the keys of the current screen, and the global ones.
@MainActor
enum HelpOverlay {
    static let always = [
        KeyHelp("F7, Space", "hover (Space except in text fields)"),
        KeyHelp("F8", "emergency landing, after confirmation"),
        KeyHelp("F12", "request, take over or release control"),
        KeyHelp("F6", "next vehicle"), KeyHelp("F5", "command all vehicles, after confirmation"),
        KeyHelp("F1, ?", "this help"), KeyHelp("Esc", "back"), KeyHelp("Ctrl-L", "redraw the screen"),
        KeyHelp("Ctrl-Z", "stop motion and suspend"), KeyHelp("F10, Ctrl-C", "quit"),
    ]

    static func draw(keys: [KeyHelp], mode: Mode, on canvas: inout Canvas, in area: ScreenArea) {
        let rows = keys.count + always.count + 4
        let box = area.centred(rows: min(area.rows, rows), columns: min(area.columns, 76))
        canvas.fill(box)
        let inside = canvas.box(box, title: "Keys", .tone(.accent)).inset(left: 1, right: 1)
        // If one column has too few rows, the global keys go into a second one.
        let isTall = inside.rows >= keys.count + always.count + 1
        let here = isTall ? inside : inside.split(left: inside.columns / 2).left
        let everywhere = isTall ? inside.inset(top: keys.count + 1) : inside.split(left: inside.columns / 2).rest
        list(keys, title: "this screen", on: &canvas, in: here)
        list(always, title: "everywhere", on: &canvas, in: everywhere)
    }

    private static func list(_ keys: [KeyHelp], title: String, on canvas: inout Canvas, in area: ScreenArea) {
        let column = min(14, (keys.map { $0.keys.cells }.max() ?? 0) + 2)
        for (row, help) in keys.enumerated() {
            canvas.write(help.keys.fitted(to: column - 1), row: row, in: area, .title)
            canvas.write(help.action.fitted(to: area.columns - column - 1), row: row, column: column, in: area)
        }
    }
}
