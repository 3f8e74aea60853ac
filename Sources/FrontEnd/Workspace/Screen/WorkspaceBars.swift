internal import ModeKit
internal import ReportKit
internal import TextScreen

/// The two bars above every screen: link and vehicle.
@MainActor
enum WorkspaceBars {
    static func draw(_ state: WorkspaceState, on canvas: inout Canvas, in area: ScreenArea) {
        let title = state.mode.title
        // The state of the link is whole, before the name of the program.
        let mark = state.link.map { linkState($0).text.cells } ?? 0
        let hasName = titleColumn + title.cells + gap + mark <= area.columns
        let column = hasName ? titleColumn : 0
        if hasName { canvas.write("uavlink", row: 0, in: area, .title) }
        canvas.write(title, row: 0, column: column, in: area, Style.plain.adding(.bold))
        guard let vehicle = state.vehicle, let link = state.link else {
            return canvas.writeRight("not logged in", row: 0, in: area, .muted)
        }
        let first = column + title.cells + gap
        let spans = linkSpans(link, available: area.columns - first)
        let width = spans.reduce(0) { $0 + $1.text.cells }
        canvas.write(spans, row: 0, column: max(first, area.columns - width), in: area)
        // What the vehicle does is never cut: the battery gets shorter first, then the title.
        let forms = batteryForms(vehicle)
        let needed = cells(of: vehicleMarks(vehicle, state)) + min(vehicle.title.cells, mostTitleColumns) + 1
        let battery = forms.first { cells(of: $0) + needed <= area.columns } ?? forms.last ?? []
        let start = max(0, area.columns - cells(of: battery))
        canvas.write(vehicleSpans(vehicle, state, available: start - 1), row: 1, in: area)
        canvas.write(battery, row: 1, column: start, in: area)
    }

    /// The values that lines so wide have no space for, whole, by label: for the help.
    static func details(_ state: WorkspaceState, columns: Int) -> [KeyHelp] {
        guard let vehicle = state.vehicle, let link = state.link else { return [] }
        var canvas = Canvas(ScreenSize(rows: 2, columns: columns))
        draw(state, on: &canvas, in: canvas.area)
        let shown = canvas.lines.joined(separator: "\n")
        let loss = [link.lossUp.map { "↑\($0)" }, link.lossDown.map { "↓\($0)" }].compactMap(\.self)
        let values: [(label: String, sign: String, value: String)] = [
            ("vehicle", "", vehicle.title), ("control", " ", vehicle.control), ("battery", " ", vehicle.battery),
            ("age", "age ", link.age ?? ""), ("round trip", "rtt ", link.roundTrip ?? ""),
            ("loss", "loss ", loss.joined(separator: " ")),
        ]
        let isKnown = { (value: String) in !value.isEmpty && value != "-" }
        return values.compactMap { each in
            isKnown(each.value) && !shown.contains(each.sign + each.value) ? KeyHelp(each.label, each.value) : nil
        }
    }

    private static func cells(of spans: [Canvas.Span]) -> Int { spans.reduce(0) { $0 + $1.text.cells } }

    private static let titleColumn = 9
    /// Between the title and the state of the link.
    private static let gap = 2

    /// The mark of the link's grade, its name, and its quality or what is wrong.
    private static func linkState(_ link: LinkBar) -> Canvas.Span {
        let (mark, tone): (String, Tone) =
            switch link.grade {
            case .good: ("●", .good)
            case .fair: ("◐", .warning)
            case .poor: ("○", .danger)
            case .silent, .lost: ("✗", .danger)
            }
        let percent =
            switch link.grade {
            case .lost: " LOST"
            case .silent: " NO TELEMETRY"
            default: link.percent.map { " \($0) %" } ?? ""
            }
        return Canvas.Span("\(mark) \(link.link)\(percent)", .tone(tone))
    }

    /// The link's values, most important first; those that do not fit are omitted, and loss is in both directions or none.
    private static func linkSpans(_ link: LinkBar, available: Int) -> [Canvas.Span] {
        func spans(_ name: String, _ value: String?) -> [Canvas.Span] {
            value.map { [Canvas.Span(name, .muted), Canvas.Span($0)] } ?? []
        }
        let loss =
            link.lossUp == nil
            ? spans("  loss ↓", link.lossDown) : spans("  loss ↑", link.lossUp) + spans(" ↓", link.lossDown)
        var shown = [linkState(link)]
        var used = shown[0].text.cells
        for detail in [spans("  age ", link.age), spans("  rtt ", link.roundTrip), loss] {
            let width = detail.reduce(0) { $0 + $1.text.cells }
            guard used + width <= available else { break }
            shown += detail
            used += width
        }
        return shown
    }

    /// The most columns of a title.
    private static let mostTitleColumns = 24

    /// The vehicle's values; the title is shortened to the space that the others leave, and so is who has control.
    private static func vehicleSpans(_ vehicle: VehicleBar, _ state: WorkspaceState, available: Int) -> [Canvas.Span] {
        let marks = vehicleMarks(vehicle, state)
        let title = vehicle.title.fitted(to: max(1, min(mostTitleColumns, available - cells(of: marks))))
        let spans = [Canvas.Span(title, Style(.tone(.accent), .bold))] + marks
        return spans + controlSpans(vehicle.control, available: available - cells(of: spans))
    }

    /// What stands behind the title: marks, and what the vehicle does.
    private static func vehicleMarks(_ vehicle: VehicleBar, _ state: WorkspaceState) -> [Canvas.Span] {
        var spans: [Canvas.Span] = []
        if !vehicle.position.isEmpty { spans.append(Canvas.Span(" \(vehicle.position)", .muted)) }
        if state.commandsAll { spans.append(Canvas.Span(" ALL", .tone(.warning))) }
        if vehicle.isSimulated { spans.append(Canvas.Span(" SIM", .tone(.second))) }
        if vehicle.isRecorded { spans.append(Canvas.Span(" REC", .tone(.danger))) }
        spans.append(Canvas.Span("  "))
        spans.append(Canvas.Span(vehicle.state, vehicle.isAlarming ? .tone(.danger) : Style.plain.adding(.bold)))
        return spans
    }

    /// A letter or two of a name say nothing.
    private static let fewestOfName = 4

    /// Who has control; where that does not fit, without the time, then without the label.
    private static func controlSpans(_ control: String, available: Int) -> [Canvas.Span] {
        let (label, gap) = ("  control ", "  ")
        let name = control.lastIndex(of: ",").map { String(control[..<$0]) } ?? control
        for (start, text) in [(label, control), (label, name), (gap, control), (gap, name)]
        where start.cells + text.cells <= available {
            return [Canvas.Span(start, .muted), Canvas.Span(text)]
        }
        let start = available - label.cells >= fewestOfName ? label : gap
        let rest = available - start.cells
        return rest < fewestOfName ? [] : [Canvas.Span(start, .muted), Canvas.Span(name.fitted(to: rest))]
    }

    /// The battery's values, the longest form first: what a narrow terminal leaves out are the gauge and the voltage.
    private static func batteryForms(_ vehicle: VehicleBar) -> [[Canvas.Span]] {
        guard let share = vehicle.batteryShare else {
            return [[Canvas.Span("battery ", .muted), Canvas.Span(vehicle.battery)], [Canvas.Span(vehicle.battery)]]
        }
        // Flight manuals for LiPo batteries: land below 20 %; below 10 % it may be too late.
        let style: Style = share < 0.1 ? .tone(.danger) : share < 0.2 ? .tone(.warning) : .tone(.good)
        let filled = Int(saturating: (min(max(share, 0), 1) * 5).rounded(.up))
        let gauge = String(repeating: "▮", count: filled) + String(repeating: "▯", count: 5 - filled)
        let low = share < 0.2 ? "LOW " : ""
        let percent = "\((share * 100).formatted(decimals: 0)) %"
        return [
            [Canvas.Span("\(low)\(gauge) ", style), Canvas.Span(vehicle.battery)],
            [Canvas.Span(low, style), Canvas.Span(vehicle.battery)], [Canvas.Span(low, style), Canvas.Span(percent)],
        ]
    }
}
