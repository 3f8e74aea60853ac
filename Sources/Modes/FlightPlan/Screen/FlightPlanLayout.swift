internal import TextScreen

/// Where the parts of the screen are.
struct FlightPlanLayout {
    let head: ScreenArea
    let body: ScreenArea
    let list: ScreenArea
    /// The box of the findings; `nil` where there are none, or a line has to do.
    var findings: ScreenArea?
    var map: ScreenArea?
    var states: ScreenArea?
    let foot: ScreenArea

    private static let headRows = 2
    /// A list, a map and the states side by side take so much.
    private static let wide = (columns: 100, rows: 26)
    /// Below this the findings are one line.
    private static let rowsWithFindings = 14
    private static let mostListColumns = 46

    init(_ area: ScreenArea, _ state: FlightPlanScreenState) {
        let (top, below) = area.split(top: Self.headRows)
        head = top
        let hasFindings = !state.findings.isEmpty
        let showsBox = hasFindings && below.rows >= Self.rowsWithFindings
        (body, foot) = below.split(top: max(0, below.rows - (hasFindings && !showsBox ? 2 : 1)))
        let (left, right) = body.split(left: min(Self.mostListColumns, body.columns * 9 / 20))
        if showsBox {
            let width = max(1, left.columns - 2)
            let lines = state.findings.reduce(0) { $0 + $1.text.wrapped(to: width - 2).count }
            let (upper, lower) = left.split(top: left.rows - min(lines + 2, left.rows / 2))
            (list, findings) = (upper, lower)
        } else {
            list = left
        }
        let table = state.states.map { PlanStatesDrawing($0) }
        if area.columns >= Self.wide.columns, body.rows >= Self.wide.rows, let table {
            let rows = table.lines(columns: right.columns - 2, rows: body.rows / 2).count + 2
            let (upper, lower) = right.split(top: max(0, right.rows - rows))
            (map, states) = (upper, lower)
        } else if table != nil, state.panel == .states || state.steps.isEmpty {
            states = right
        } else {
            map = right
        }
    }
}
