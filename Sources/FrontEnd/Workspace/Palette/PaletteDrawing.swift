internal import TextScreen

/// How the palette is drawn: the line, the actions that it means, what is said about them, and the keys. The line and the chosen action
/// always stand; a reason has the rows that are left, and scrolls.
extension PaletteOverlay {
    private static let widest = 76
    private static let keyColumn = 12

    /// Where its parts are: the box, what is inside of its edges, the lines below the list and the parts of both that are shown.
    private struct Layout {
        var box: ScreenArea
        var inside: ScreenArea
        var hints: [String]
        var hintWindow: ListWindow
        var window: ListWindow

        /// Whether not all of what stands below the list is shown.
        var scrolls: Bool { hintWindow.above + hintWindow.below > 0 }
    }

    private func layout(_ count: Int, selected: Int?, hint: String, _ items: [PaletteItem], in area: ScreenArea)
        -> Layout
    {
        // Its upper edge stays where it is with all entries.
        let whole = area.centred(
            rows: min(area.rows, items.count { $0.isListed } + 5), columns: min(area.columns, Self.widest))
        let width = max(1, whole.columns - 4)
        // Besides its edges, the line itself, an entry, and what its keys do.
        let space = max(1, whole.rows - 4 - min(count, 1))
        var hints = hint.wrapped(to: width).filter { !$0.isEmpty }
        // With space for the sign that it goes on.
        if hints.count > space { hints = hint.wrapped(to: max(1, width - 2)).filter { !$0.isEmpty } }
        let hintWindow = ListWindow(count: hints.count, rows: min(hints.count, space), first: hintScroll)
        let box = whole.split(top: min(count + hintWindow.rows + 4, whole.rows)).top
        let inside = box.inset(top: 1, left: 2, bottom: 1, right: 2)
        let available = max(0, inside.rows - 2 - hintWindow.rows)
        return Layout(
            box: box, inside: inside, hints: hints, hintWindow: hintWindow,
            window: ListWindow(count: count, rows: available, around: selected ?? 0))
    }

    /// Where everything is for the line as it is.
    private func layout(_ items: [PaletteItem], in area: ScreenArea) -> Layout {
        let matches = matches(items)
        let selected = selected(matches, of: items)
        let words = hint(selected.map { matches[$0] }, of: items).0
        return layout(matches.count, selected: selected, hint: words, items, in: area)
    }

    /// Chooses the action on the row that was clicked; Enter runs it, as one that was chosen with the arrows.
    ///
    /// - Parameter area: that of the last drawing.
    mutating func click(_ mouse: MouseEvent, _ items: [PaletteItem], in area: ScreenArea) -> Outcome {
        let layout = layout(items, in: area)
        guard mouse.button == 0, layout.inside.contains(row: mouse.row, column: mouse.column) else { return .ignored }
        // The line that is typed is above them.
        let index = layout.window.first + mouse.row - layout.inside.row - 1
        guard layout.window.shown.contains(index), index != selected(matches(items), of: items) else {
            return .ignored
        }
        (chosen, hintScroll) = (index, 0)
        return .changed
    }

    /// Scrolls what stands below the list; `false` for other keys, and where all of it is shown.
    ///
    /// - Parameter area: that of the last drawing.
    mutating func scroll(by key: KeyEvent, _ items: [PaletteItem], in area: ScreenArea) -> Bool {
        guard key.phase != .release, key.modifiers.isEmpty, [.pageUp, .pageDown].contains(key.key) else { return false }
        let layout = layout(items, in: area)
        guard layout.scrolls else { return false }
        let (window, step) = (layout.hintWindow, max(1, layout.hintWindow.rows - 1))
        let first = window.first + (key.key == .pageUp ? -step : step)
        hintScroll = ListWindow(count: window.count, rows: window.rows, first: first).first
        return true
    }

    func draw(_ items: [PaletteItem], on canvas: inout Canvas, in area: ScreenArea) {
        let matches = matches(items)
        let selected = selected(matches, of: items)
        let (words, style) = hint(selected.map { matches[$0] }, of: items)
        let layout = layout(matches.count, selected: selected, hint: words, items, in: area)
        let (inside, window, below) = (layout.inside, layout.window, layout.hintWindow)
        canvas.fill(layout.box)
        canvas.box(layout.box, title: "Command", .tone(.accent))
        canvas.write(":", row: 0, in: inside, .title)
        field.draw(on: &canvas, in: inside.split(top: 1).top.inset(left: 2), hasFocus: true)
        for index in window.shown {
            let (item, isSelected, row) = (matches[index], index == selected, index - window.first + 1)
            canvas.write(isSelected ? "›" : " ", row: row, in: inside, .title)
            let width = max(1, inside.columns - 2 - (item.keys.isEmpty ? 0 : Self.keyColumn))
            canvas.write(
                item.label.shortened(to: width), row: row, column: 2, in: inside,
                isSelected ? Style.plain.adding(.bold) : .plain)
            canvas.writeRight(item.keys.fitted(to: Self.keyColumn - 1), row: row, in: inside, .title)
        }
        canvas.drawMarks(of: window, on: layout.box)
        for index in below.shown {
            let sign = index == below.shown.upperBound - 1 && below.below > 0 ? " …" : ""
            let row = inside.rows - 1 - below.rows + index - below.first
            canvas.write(layout.hints[index] + sign, row: row, in: inside, style)
        }
        let keys = keyWords(items, scrolls: layout.scrolls, width: inside.columns)
        canvas.write(keys, row: inside.rows - 1, in: inside, .muted)
    }

    /// What is wrong with the line, or what the chosen command takes.
    private func hint(_ item: PaletteItem?, of items: [PaletteItem]) -> (String, Style) {
        if !mistake.isEmpty { return ("! \(mistake)", .tone(.warning)) }
        guard let item else { return (obstacle(items) ?? "no such action", .muted) }
        return (item.hint, .muted)
    }
}
