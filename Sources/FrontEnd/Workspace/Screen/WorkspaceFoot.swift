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
        for (help, column) in places(of: keys, columns: area.columns) {
            canvas.write(
                [.init(help.keys, .title), .init(" \(help.action)", .muted)], row: 1, column: column, in: area)
        }
    }

    /// The keys that fit, with the column where each begins. With a vehicle that can be stopped the first one that does not
    /// may end the line, since no gap follows it, and the key that quits is there only beside that of the palette, which has all others.
    private static func places(of keys: [KeyHelp], columns: Int) -> [(help: KeyHelp, column: Int)] {
        var column = 0
        var places: [(help: KeyHelp, column: Int)] = []
        var leftOut: [String] = []
        let hasVehicle = keys.contains { $0.keys.hasPrefix(KeyLine.stop) }
        for help in keys {
            if hasVehicle, help.action == KeyLine.quit, leftOut.contains(KeyLine.command) { continue }
            let width = help.keys.cells + help.action.cells + 3
            guard column + width - (hasVehicle && leftOut.isEmpty ? gap : 0) <= columns else {
                leftOut.append(help.action)
                continue
            }
            places.append((help, column))
            column += width
        }
        return places
    }

    /// The blanks between two keys.
    private static let gap = 2

    /// The keys with the further ones of the configuration file; without them where that leaves space for more of the first ones: what
    /// stops, what takes over, and the help.
    static func line(_ keys: [KeyHelp], without usual: [KeyHelp], columns: Int) -> [KeyHelp] {
        let first = usual.firstIndex { $0.action == KeyLine.help }.map { $0 + 1 } ?? 3
        func count(_ keys: [KeyHelp]) -> Int { places(of: Array(keys.prefix(first)), columns: columns).count }
        return count(usual) > count(keys) ? usual : keys
    }

    /// The key at a column of the key line, for clicks: the one that is clicked, or the only one beside the words for it.
    static func key(at column: Int, of keys: [KeyHelp], columns: Int) -> KeyEvent? {
        guard let place = places(of: keys, columns: columns).last(where: { $0.column <= column }) else { return nil }
        let words = place.help.keys.split(separator: " ")
        var first = place.column
        for word in words {
            let next = first + String(word).cells
            if column < next { return column >= first ? KeyEvent(label: String(word)) : nil }
            first = next + 1
        }
        guard words.count == 1, column <= place.column + place.help.keys.cells + place.help.action.cells else {
            return nil
        }
        return KeyEvent(label: place.help.keys)
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
