internal import TextScreen

/// The layout of the log-in screen, for drawing and for mouse events.
struct LoginLayout {
    /// The list's box; `nil` in a narrow area, where the list is the first line of the form.
    let list: ScreenArea?
    /// The form's box.
    let form: ScreenArea
    /// The box below the form, for the steps or for help; `nil` when there is no space.
    let below: ScreenArea?
    /// The line of the hint for a new user.
    let advice: ScreenArea
    /// The lines of the visible fields.
    let fields: [(field: LoginField, area: ScreenArea)]
    /// The log-in button; `nil` when there is no space.
    let button: ScreenArea?
    /// The number of list rows scrolled out at the top.
    let firstChoice: Int

    /// The width of the labels.
    static let labelColumns = 12
    private static let listColumns = 28
    private static let widthForBoth = 68
    /// Five rows, one per step, and the border.
    private static let belowRows = 7

    init(_ whole: ScreenArea, _ state: LoginScreenState) {
        let (focus, chosen) = (state.focus, state.chosen)
        let area = whole.centred(rows: min(whole.rows, 24), columns: min(whole.columns, 104))
        let (body, advice) = area.split(top: area.rows - 1)
        self.advice = advice
        let right: ScreenArea
        let hasList = area.columns >= Self.widthForBoth
        if hasList {
            let (left, rest) = body.split(left: Self.listColumns)
            list = left
            right = rest.inset(left: 1)
        } else {
            list = nil
            right = body
        }
        let wanted = state.form.fields.filter { !hasList || $0 != .list }
        let tall = wanted.count + 3
        form = right.split(top: min(tall, right.rows)).top
        let rest = right.split(top: form.rows).rest
        below = rest.rows >= 3 ? rest.split(top: min(rest.rows, Self.belowRows)).top : nil
        let inside = form.inset(top: 1, left: 2, bottom: 1, right: 2)
        let at = wanted.firstIndex(of: focus) ?? 0
        let first = max(0, min(at - inside.rows + 1, wanted.count - inside.rows))
        let seen = wanted.dropFirst(first).prefix(inside.rows)
        fields = seen.enumerated().map { row, field in
            (field, inside.inset(top: row).split(top: 1).top)
        }
        button = inside.rows > wanted.count ? inside.inset(top: wanted.count).split(top: 1).top : nil
        let listRows = (list?.rows ?? 2) - 2
        firstChoice = max(0, chosen - max(1, listRows) + 1)
    }

    /// The area of a field's value.
    static func value(of line: ScreenArea) -> ScreenArea { line.inset(left: labelColumns) }
}
