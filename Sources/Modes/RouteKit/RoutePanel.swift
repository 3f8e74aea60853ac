package import ModeKit
internal import ReportKit
package import TextScreen
internal import UAVLink

/// The text beside the map, in sections; the less important ones are omitted when there is little space.
package struct RoutePanel {
    /// A line, and the place that a click on it goes to.
    private struct Line {
        var spans: [Canvas.Span]
        var place: MapPlace?
        var isHeading = false
    }

    private let state: RouteScreenState
    private let area: ScreenArea
    /// The points that are listed.
    private let listed: [RouteMarker]

    /// Creates a panel in an area of the screen.
    ///
    /// - Parameter listsPoints: whether the points of the route are listed; the title of the selected one then has its number.
    package init(state: RouteScreenState, area: ScreenArea, listsPoints: Bool = true) {
        self.state = state
        self.area = area
        listed = listsPoints ? state.points : []
    }

    package func draw(on canvas: inout Canvas) {
        for (row, line) in lines.prefix(area.rows).enumerated() { canvas.write(line.spans, row: row, in: area) }
    }

    /// The place that a click into a row of the screen goes to.
    package func place(atRow row: Int) -> MapPlace? {
        let (shown, index) = (lines.prefix(area.rows), row - area.row)
        return shown.indices.contains(index) ? shown[index].place : nil
    }

    /// The lines of all sections, reduced to the available rows.
    private var lines: [Line] {
        var (findingCount, hasPoints, hasHeadings, isFlowing) = (
            state.findings.count, !listed.isEmpty, true, false
        )
        var findingRows = Self.mostFindingRows
        // Omitted in this order: what a finding has beyond its first lines, the list of points, the headings, separate lines for the values, findings beyond the second,
        // and at last the cursor's section, which is cut off at the bottom.
        func assembled() -> [Line] {
            let sections = [
                stage, section("plan", state.plan, isFlowing), findings(findingCount, rows: findingRows),
                section(pointTitle, state.point, isFlowing), hasPoints ? points : [],
                section("tracking error", state.trackError, isFlowing), cursor,
            ]
            return hasHeadings ? sections.flatMap(\.self) : sections.flatMap { $0.filter { !$0.isHeading } }
        }
        if assembled().count > area.rows { findingRows = area.rows > 28 ? 3 : 2 }
        if assembled().count > area.rows { hasPoints = false }
        if assembled().count > area.rows { hasHeadings = false }
        if assembled().count > area.rows { isFlowing = true }
        while assembled().count > area.rows, findingCount > 2 { findingCount -= 1 }
        // What was left out besides may have left rows for more of the findings.
        while findingRows < Self.mostFindingRows {
            findingRows += 1
            guard assembled().count > area.rows else { continue }
            findingRows -= 1
            break
        }
        return assembled()
    }

    private func section(_ title: String, _ facts: [LabeledValue], _ isFlowing: Bool) -> [Line] {
        guard !facts.isEmpty else { return [] }
        return [heading(title)] + (isFlowing ? flowed(facts) : facts.flatMap { fact($0) })
    }

    /// Several values per line, as many as fit; one that does not fit into a line has lines of its own.
    private func flowed(_ facts: [LabeledValue]) -> [Line] {
        var lines: [Line] = []
        var used = Int.max
        for fact in facts {
            let value = fact.value + (fact.isWarning ? " !" : "")
            let width = fact.label.cells + 1 + value.cells
            guard width <= area.columns else {
                lines += labelled(fact, labelColumns: fact.label.cells + 1)
                used = .max
                continue
            }
            if used == .max || used + 2 + width > area.columns {
                lines.append(Line(spans: []))
                used = 0
            } else {
                lines[lines.count - 1].spans.append(.init("  "))
                used += 2
            }
            lines[lines.count - 1].spans += [
                .init(fact.label + " ", .muted), .init(value, fact.isWarning ? .tone(.warning) : .plain),
            ]
            used += width
        }
        return lines
    }

    private func heading(_ text: String) -> Line {
        let rule = String(repeating: "─", count: max(0, area.columns - text.cells - 3))
        return Line(spans: [.init("─ \(text) \(rule)", .muted)], isHeading: true)
    }

    private func fact(_ fact: LabeledValue) -> [Line] { labelled(fact, labelColumns: 13) }

    /// A label and its value, which is continued below if it is too long.
    private func labelled(_ fact: LabeledValue, labelColumns: Int) -> [Line] {
        let label = fact.label.fitted(to: labelColumns - 1)
        let values = Self.broken(fact.value + (fact.isWarning ? " !" : ""), to: max(1, area.columns - labelColumns))
        return values.enumerated().map { row, value in
            let start = row == 0 ? label : ""
            let gap = String(repeating: " ", count: max(1, labelColumns - start.cells))
            return Line(spans: [
                .init(start + gap, .muted), .init(value, fact.isWarning ? .tone(.warning) : .plain),
            ])
        }
    }

    /// The lines of a value, broken after a comma where possible: a number stays beside its unit.
    private static func broken(_ value: String, to columns: Int) -> [String] {
        guard value.cells > columns else { return [value] }
        let parts = value.split(separator: ", ")
        var lines: [String] = []
        for (index, part) in parts.enumerated() {
            let text = String(part) + (index + 1 < parts.count ? "," : "")
            if let last = lines.last, last.cells + 1 + text.cells <= columns {
                lines[lines.count - 1] = last + " " + text
            } else {
                lines += text.wrapped(to: columns)
            }
        }
        return lines
    }

    private var stage: [Line] {
        let stage = Self.stageText(state)
        var lines = stage.text.wrapped(to: area.columns).map { Line(spans: [.init($0, stage.style)]) }
        if !state.isPathCurrent, !lines.isEmpty { lines[lines.count - 1].spans.append(.init(" (stale)", .muted)) }
        if let progress = state.progress {
            let share = min(max(progress.isFinite ? progress : 0, 0), 1)
            let width = max(4, area.columns - 7)
            let full = Int(saturating: (share * Double(width)).rounded())
            lines.append(
                Line(spans: [
                    .init(String(repeating: "█", count: full), .tone(.accent)),
                    .init(String(repeating: "░", count: width - full), .muted),
                    .init(" \((share * 100).formatted(decimals: 0)) %"),
                ]))
        }
        return lines
    }

    /// The stage, and what was not checked or how many warnings there are where it would be taken for good without them.
    static func stageText(_ state: RouteScreenState) -> Canvas.Span {
        let doubtful = Style.tone(.warning).adding(.bold)
        if !state.exceptions.isEmpty, let text = state.stage.words(except: state.exceptions) {
            return .init(text, doubtful)
        }
        let warnings = state.findings.count { !$0.isFailure }
        guard state.stage == .ready, warnings > 0 else {
            let missing = state.missing.isEmpty ? "" : "; \(state.missing)"
            return .init(state.stage.rawValue + missing, style(state.stage).adding(.bold))
        }
        return .init("\(state.stage.rawValue), \(warnings) warning\(warnings == 1 ? "" : "s")", doubtful)
    }

    /// The style of a stage.
    package static func style(_ stage: RouteStage) -> Style {
        switch stage {
        case .nothing, .planning: .muted
        case .ready, .checked, .onGround, .grounded, .notInFlight, .refused, .byRadio, .inEmergency, .linkLost,
            .byOther, .notFlyingByOther, .sent, .flown:
            .tone(.good)
        case .failed, .sentFailing, .stoppedFailing, .flownFailing: .tone(.danger)
        case .stopped, .astray: .tone(.warning)
        case .sending, .toStart, .flying: .tone(.accent)
        }
    }

    /// Lines of one finding where there is space for all.
    private static let mostFindingRows = 8

    private func findings(_ count: Int, rows: Int) -> [Line] {
        guard !state.findings.isEmpty else { return [] }
        // The selected finding is always shown.
        let first = max(0, min((state.chosenFinding ?? 0) - count / 2, state.findings.count - count))
        let shown = state.findings.indices.dropFirst(first).prefix(count)
        let hidden = state.findings.count - shown.count
        var lines = [heading("findings")]
        for index in shown {
            let finding = state.findings[index]
            let style: Style = finding.isFailure ? .tone(.danger) : .tone(.warning)
            let chosen = index == state.chosenFinding ? "▸" : " "
            let text = "\(chosen)\(finding.isFailure ? "✗" : "!") \(finding.text)"
            for line in text.wrapped(to: area.columns, atMost: rows) {
                lines.append(Line(spans: [.init(line, style)], place: finding.place))
            }
        }
        // Not in the heading, which is left out before findings are.
        if hidden > 0 { lines.append(Line(spans: [.init("  \(hidden) more: n", .muted)])) }
        return lines
    }

    private var pointTitle: String {
        listed.first { $0.isSelected }.map { "point \($0.label) of \(listed.count)" } ?? "point"
    }

    /// The points around the selected one.
    private var points: [Line] {
        let count = min(listed.count, 8)
        let chosen = listed.firstIndex { $0.isSelected } ?? 0
        let first = max(0, min(chosen - count / 2, listed.count - count))
        return [heading("points")]
            + listed.dropFirst(first).prefix(count).map { point in
                let label = "\(point.isSelected ? "▸" : " ")\(RouteGlyphs.label(point))".fitted(to: 10)
                let gap = String(repeating: " ", count: max(1, 11 - label.cells))
                let available = max(0, area.columns - 11)
                let exact = Self.position(of: point, decimals: 1)
                let text = exact.cells <= available ? exact : Self.position(of: point, decimals: 0)
                let style: Style = point.hasFinding ? .tone(.danger) : .plain
                return Line(
                    spans: [
                        .init(label + gap, style.adding(.bold)), .init(text.fitted(to: available)),
                    ],
                    place: point.place)
            }
    }

    private static func position(of point: RouteMarker, decimals: Int) -> String {
        let (east, north) = (point.place.east, point.place.north)
        return "\(east.formatted(decimals: decimals)), \(north.formatted(decimals: decimals)), "
            + "z \(point.position.z.formatted(decimals: decimals))"
    }

    private var cursor: [Line] {
        state.cursorLines.isEmpty
            ? []
            : [heading("cursor")]
                + state.cursorLines.map { Line(spans: [.init(Self.reduced($0, to: area.columns), .muted)]) }
    }

    /// A text without what stands after its last commas, as far as that does not fit: it is the less important part.
    private static func reduced(_ text: String, to columns: Int) -> String {
        var parts = text.split(separator: ", ")
        while parts.count > 1, parts.joined(separator: ", ").cells > columns { parts.removeLast() }
        return parts.joined(separator: ", ").shortened(to: columns)
    }
}
