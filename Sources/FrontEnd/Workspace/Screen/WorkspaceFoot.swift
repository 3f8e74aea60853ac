internal import FlightControl
internal import ModeKit
internal import TextScreen

/// The two lines below every screen: the newest notice, and the keys that act now.
@MainActor
enum WorkspaceFoot {
    /// What a notice that is too long for its line ends with: its whole text is among the messages of the help.
    private static let more = "  F1: all of it"

    /// Draws both lines.
    ///
    /// - Parameters:
    ///   - activity: what is waited for, shown while there is no notice.
    ///   - keys: the keys, most important first; those that do not fit are left out.
    static func draw(
        _ notice: Notice?, activity: String?, _ keys: [KeyHelp], on canvas: inout Canvas, in area: ScreenArea
    ) {
        if let notice {
            let (mark, style) = look(notice.weight)
            let text = "\(mark) \(notice.text)"
            if text.cells <= area.columns {
                canvas.write(text, row: 0, in: area, style)
            } else {
                let end = canvas.write(text.shortened(to: area.columns - more.cells), row: 0, in: area, style)
                canvas.write(more, row: 0, column: end, in: area, .muted)
            }
        } else if let activity {
            canvas.write("· \(activity)".shortened(to: area.columns), row: 0, in: area, .muted)
        }
        var column = 0
        for help in keys {
            let width = help.keys.cells + help.action.cells + 3
            guard column + width <= area.columns else { continue }
            canvas.write(
                [.init(help.keys, .title), .init(" \(help.action)", .muted)], row: 1, column: column, in: area)
            column += width
        }
    }

    private static func look(_ weight: Notice.Weight) -> (mark: String, style: Style) {
        switch weight {
        case .information: ("·", .plain)
        case .success: ("✓", .tone(.good))
        case .warning: ("!", .tone(.warning))
        case .error: ("✗", .tone(.danger))
        }
    }
}
