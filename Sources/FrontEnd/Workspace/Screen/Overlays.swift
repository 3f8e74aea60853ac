internal import ModeKit
internal import TextScreen

/// A question over everything else.
@MainActor
enum ConfirmationBox {
    /// The keys that answer it.
    static func answers(to confirmation: Confirmation) -> [KeyHelp] {
        confirmation.reason == nil
            ? [KeyHelp("y", confirmation.action), KeyHelp("n Esc", "no")]
            : [KeyHelp("Enter", confirmation.action), KeyHelp("Esc", "no")]
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
                [.init("Enter", .title), .init(" \(confirmation.action)   "), .init("Esc", .title), .init(" no")],
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

/// The keys of the screen at hand, and those that always work.
@MainActor
enum HelpOverlay {
    static let always = [
        KeyHelp("F7, Space", "hover (Space where no text is typed)"),
        KeyHelp("F8", "emergency landing, after a question"),
        KeyHelp("F12", "take command, give it back; asks where another flies"),
        KeyHelp("F6", "next vehicle"), KeyHelp("F5", "command all vehicles, after a question"),
        KeyHelp("F1, ?", "this help"), KeyHelp("Esc", "back"), KeyHelp("Ctrl-L", "paint the screen anew"),
        KeyHelp("Ctrl-Z", "stop motion and suspend"), KeyHelp("F10, Ctrl-C", "quit"),
    ]

    static func draw(keys: [KeyHelp], mode: Mode, on canvas: inout Canvas, in area: ScreenArea) {
        let rows = keys.count + always.count + 4
        let box = area.centred(rows: min(area.rows, rows), columns: min(area.columns, 76))
        canvas.fill(box)
        let inside = canvas.box(box, title: "Keys", .tone(.accent)).inset(left: 1, right: 1)
        // Where there is no room for all in one column, the common ones go beside.
        let isTall = inside.rows >= keys.count + always.count + 1
        let here = isTall ? inside : inside.split(left: inside.columns / 2).left
        let everywhere = isTall ? inside.inset(top: keys.count + 1) : inside.split(left: inside.columns / 2).rest
        list(keys, title: "here", on: &canvas, in: here)
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
