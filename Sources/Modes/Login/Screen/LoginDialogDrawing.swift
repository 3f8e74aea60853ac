internal import TextScreen

extension Canvas {
    /// Draws a dialog over an area.
    ///
    /// - Returns: the areas in which a click means yes, and no or close.
    @discardableResult
    mutating func draw(_ dialog: LoginDialog, in area: ScreenArea) -> (yes: ScreenArea?, no: ScreenArea) {
        let columns = min(area.columns, 68)
        let width = columns - 4
        var lines: [(text: String, style: Style)] = []
        for paragraph in dialog.paragraphs where !paragraph.isEmpty {
            lines += paragraph.wrapped(to: width).map { ($0, .plain) } + [("", .plain)]
        }
        if !dialog.advice.isEmpty {
            lines += dialog.advice.wrapped(to: width).map { ($0, .tone(.accent)) } + [("", .plain)]
        }
        // The keys are always shown; the text is cut if necessary.
        let box = area.centred(rows: lines.count + 3, columns: columns)
        fill(box)
        self.box(box, title: dialog.title, .tone(.warning), titleStyle: .tone(.warning))
        let inside = box.inset(top: 1, left: 2, bottom: 1, right: 2)
        for (row, line) in lines.prefix(max(0, inside.rows - 1)).enumerated() {
            write(line.text, row: row, in: inside, line.style)
        }
        cursor = nil
        return drawKeys(of: dialog, in: inside.inset(top: inside.rows - 1))
    }

    private mutating func drawKeys(of dialog: LoginDialog, in line: ScreenArea) -> (yes: ScreenArea?, no: ScreenArea) {
        let bold = Style.plain.adding(.bold)
        guard let yes = dialog.yes else {
            let end = write([Span("Enter", bold), Span(" \(dialog.no)")], row: 0, in: line)
            return (nil, line.split(left: end).left)
        }
        let end = write([Span("y", bold), Span(" \(yes)")], row: 0, in: line)
        let rest = line.inset(left: end + 4)
        let second = write([Span("n", bold), Span(" \(dialog.no)")], row: 0, in: rest)
        return (line.split(left: end).left, rest.split(left: second).left)
    }
}
