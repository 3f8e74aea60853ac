internal import TextScreen
internal import UAVLink

/// The layout of the log-in screen, for drawing and for mouse events.
struct LoginLayout {
    /// The list's box; `nil` in a narrow area, where the list is the first line of the form.
    let list: ScreenArea?
    /// The form's box.
    let form: ScreenArea
    /// The box below the form, for the steps or for help; `nil` when there is no space.
    let below: ScreenArea?
    /// The lines below everything: the hint for a new user, and what has no place in the box below the form.
    let foot: ScreenArea
    /// The lines of the visible fields.
    let fields: [(field: LoginField, area: ScreenArea)]
    /// The log-in button; `nil` when there is no space.
    let button: ScreenArea?
    /// The entries of the list that are shown.
    let choices: ListWindow
    /// The fields that are shown.
    let fieldWindow: ListWindow

    /// The width of the labels.
    static let labelColumns = 12
    private static let listColumns = 28
    /// The width of all where nothing needs more.
    private static let usualColumns = 104
    /// The least width of the form beside a list that needs more than usual.
    private static let leastFormColumns = 51
    /// The columns of the form that no value has: its frame, the margins, the labels and the cursor.
    private static let columnsBesideValue = 5 + labelColumns
    private static let widthForBoth = 68
    /// Five rows, one per step, and the border.
    private static let belowRows = 7
    /// The fewest rows of a box below the form.
    private static let fewestBelowRows = 3
    /// The fewest rows of the form that the foot leaves: three fields and the border.
    private static let fewestFormRows = 5
    /// The cells of the longest help of a field and of the longest hint, with those that wrapping loses.
    private static let longestText = 90

    init(_ whole: ScreenArea, _ state: LoginScreenState) {
        let (focus, chosen) = (state.focus, state.chosen)
        let columns = Self.columns(of: state, in: whole.columns)
        let area = whole.centred(rows: min(whole.rows, 24), columns: columns.all)
        let hasList = area.columns >= Self.widthForBoth
        let wanted = state.form.fields.filter { !hasList || $0 != .list }
        let tall = wanted.count + 3
        // Without a box below the form its text stands in the foot, whose height must not change with every field.
        let hasBelow = area.rows - 1 - tall >= Self.fewestBelowRows
        let footLines =
            !hasBelow
            ? max(2, (Self.longestText + area.columns - 3) / max(1, area.columns - 2))
            : state.steps == nil ? min(2, max(1, (state.advice ?? "").wrapped(to: area.columns - 2).count)) : 1
        let (body, foot) = area.split(
            top: area.rows - (area.rows - footLines >= Self.fewestFormRows ? footLines : 1))
        self.foot = foot.inset(left: 1, right: 1)
        let right: ScreenArea
        if hasList {
            let (left, rest) = body.split(left: columns.list)
            list = left
            right = rest.inset(left: 1)
        } else {
            list = nil
            right = body
        }
        form = right.split(top: min(tall, right.rows)).top
        let rest = right.split(top: form.rows).rest
        let stepRows = state.steps.map { LoginStepsDrawing($0).fullRows(columns: rest.columns - 4) + 2 } ?? 0
        below =
            rest.rows >= Self.fewestBelowRows
            ? rest.split(top: min(rest.rows, max(Self.belowRows, stepRows))).top : nil
        let inside = form.inset(top: 1, left: 2, bottom: 1, right: 2)
        let at = wanted.firstIndex(of: focus) ?? 0
        fieldWindow = ListWindow(count: wanted.count, rows: inside.rows, first: at - inside.rows + 1)
        fields = wanted[fieldWindow.shown].enumerated().map { row, field in
            (field, inside.inset(top: row).split(top: 1).top)
        }
        button = inside.rows > wanted.count ? inside.inset(top: wanted.count).split(top: 1).top : nil
        let listRows = (list?.rows ?? 2) - 2
        choices = ListWindow(count: state.choices.count, rows: listRows, first: chosen - max(1, listRows) + 1)
    }

    /// The columns of all, and of the list in it: more than usual where an entry or a value needs them.
    private static func columns(of state: LoginScreenState, in whole: Int) -> (all: Int, list: Int) {
        let form = usualColumns - listColumns - 1
        let wanted = max(listColumns, (state.choices.map { cells(of: $0) }.max() ?? 0) + 2)
        let value = state.form.fields.map { state.form.text(of: $0).cells }.max() ?? 0
        // At once all that there are: the form does not change with every letter.
        let isLong = value + columnsBesideValue > form
        let all = min(whole, isLong ? whole : max(usualColumns, wanted + 1 + form))
        let least = isLong ? max(leastFormColumns, (all - 1) / 2) : leastFormColumns
        // More than half where the form has its usual width beside it, whichever entry is chosen.
        return (all, max(listColumns, min(wanted, max(all / 2, all - 1 - form), all - 1 - least)))
    }

    /// The cells of an entry of the list, whole.
    static func cells(of choice: LoginChoice) -> Int {
        let detail = choice.detail.sanitizedLine.cells
        return 2 + choice.title.sanitizedLine.cells + (detail > 0 ? detail + 3 : 1)
    }

    /// The area of a field's value.
    static func value(of line: ScreenArea) -> ScreenArea { line.inset(left: labelColumns) }
}
