internal import ReportKit
public import ModeKit
public import TextScreen

/// What stands beside a map on which a route is drawn and flown.
public struct RoutePanelState: Hashable, Sendable {
    /// What happens with the trajectory.
    public var stage = RouteStage.nothing
    /// How much of what is under way is done, 0 to 1; `nil` when nothing is.
    public var progress: Double?
    /// Whether the path belongs to the route as it is now.
    public var isPathCurrent = true
    /// The points of the route.
    public var route: [RouteMarker] = []
    /// Length, time, samples, battery.
    public var plan: [LabeledValue] = []
    /// What the checks found, failures first.
    public var findings: [FindingLine] = []
    /// Which finding is chosen.
    public var chosenFinding: Int?
    /// What the chosen point says; empty when none is chosen.
    public var point: [LabeledValue] = []
    /// The error of what was flown.
    public var trackError: [LabeledValue] = []
    /// Where the cursor is.
    public var cursorLines: [String] = []

    /// An empty panel.
    public init() {}
}

/// The words beside the map, in sections; where there is little room, the less important give way.
public struct RoutePanel {
    /// A line, and where it takes the mouse.
    private struct Line {
        var spans: [Canvas.Span]
        var place: MapPlace?
        var isHeading = false
    }

    private let state: RoutePanelState
    private let area: ScreenArea

    /// A panel in an area of the screen.
    public init(state: RoutePanelState, area: ScreenArea) {
        self.state = state
        self.area = area
    }

    /// Draws it.
    ///
    /// - Returns: places that a click on a row of the screen goes to.
    public func draw(on canvas: inout Canvas) -> [Int: MapPlace] {
        var places: [Int: MapPlace] = [:]
        for (row, line) in lines.prefix(area.rows).enumerated() {
            canvas.write(line.spans, row: row, in: area)
            if let place = line.place { places[area.row + row] = place }
        }
        return places
    }

    /// The sections from top to bottom, cut to the room there is.
    private var lines: [Line] {
        var (findingCount, hasPoints, hasHeadings, isFlowing) = (
            state.findings.count, !state.route.isEmpty, true, false
        )
        // What gives way, in this order: the list of points, the headings, a line for each figure, findings beyond the second,
        // and at last the cross, which is cut off at the bottom.
        func assembled() -> [Line] {
            let sections = [
                stage, section("plan", state.plan, isFlowing), findings(findingCount),
                section(pointTitle, state.point, isFlowing), hasPoints ? points : [],
                section("flown against planned", state.trackError, isFlowing), cursor,
            ]
            return hasHeadings ? sections.flatMap(\.self) : sections.flatMap { $0.filter { !$0.isHeading } }
        }
        if assembled().count > area.rows { hasPoints = false }
        if assembled().count > area.rows { hasHeadings = false }
        if assembled().count > area.rows { isFlowing = true }
        while assembled().count > area.rows, findingCount > 2 { findingCount -= 1 }
        return assembled()
    }

    private func section(_ title: String, _ facts: [LabeledValue], _ isFlowing: Bool) -> [Line] {
        guard !facts.isEmpty else { return [] }
        return [heading(title)] + (isFlowing ? flowed(facts) : facts.map(fact))
    }

    /// Figures one after the other, as many as a line holds.
    private func flowed(_ facts: [LabeledValue]) -> [Line] {
        var lines: [Line] = []
        var used = Int.max
        for fact in facts {
            let room = max(0, area.columns - fact.label.cells - 3)
            let value = fact.value.fitted(to: room) + (fact.isWarning ? " !" : "")
            let width = fact.label.cells + 1 + value.cells
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

    private func fact(_ fact: LabeledValue) -> Line {
        let label = fact.label.fitted(to: 12)
        let gap = String(repeating: " ", count: max(1, 13 - label.cells))
        let value = fact.value.fitted(to: max(0, area.columns - 13))
        return Line(spans: [
            .init(label + gap, .muted), .init(value, fact.isWarning ? .tone(.warning) : .plain),
            .init(fact.isWarning && value.cells < area.columns - 14 ? " !" : "", .tone(.warning)),
        ])
    }

    private var stage: [Line] {
        var first: [Canvas.Span] = [.init(state.stage.rawValue, Self.style(state.stage).adding(.bold))]
        if !state.isPathCurrent { first.append(.init(" (old)", .muted)) }
        var lines = [Line(spans: first)]
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

    /// How a stage is written.
    public static func style(_ stage: RouteStage) -> Style {
        switch stage {
        case .nothing, .planning: .muted
        case .ready, .sent, .flown: .tone(.good)
        case .failed: .tone(.danger)
        case .stopped: .tone(.warning)
        case .sending, .toStart, .flying: .tone(.accent)
        }
    }

    private func findings(_ count: Int) -> [Line] {
        guard !state.findings.isEmpty else { return [] }
        // The chosen one is among those shown.
        let first = max(0, min((state.chosenFinding ?? 0) - count / 2, state.findings.count - count))
        let shown = state.findings.indices.dropFirst(first).prefix(count)
        let hidden = state.findings.count - shown.count
        var lines = [heading(hidden > 0 ? "findings (\(hidden) more)" : "findings")]
        for index in shown {
            let finding = state.findings[index]
            let style: Style = finding.isFailure ? .tone(.danger) : .tone(.warning)
            let chosen = index == state.chosenFinding ? "▸" : " "
            let text = "\(chosen)\(finding.isFailure ? "✗" : "!") \(finding.text)"
            // On a large screen a finding may take two lines.
            for line in text.wrapped(to: area.columns).prefix(area.rows > 28 ? 3 : 2) {
                lines.append(Line(spans: [.init(line, style)], place: finding.place))
            }
        }
        return lines
    }

    private var pointTitle: String {
        state.route.first { $0.isSelected }.map { "point \($0.label) of \(state.route.count)" } ?? "point"
    }

    /// Points around the chosen one.
    private var points: [Line] {
        let count = min(state.route.count, 8)
        let chosen = state.route.firstIndex { $0.isSelected } ?? 0
        let first = max(0, min(chosen - count / 2, state.route.count - count))
        return [heading("points")]
            + state.route.dropFirst(first).prefix(count).map { point in
                let label = "\(point.isSelected ? "▸" : " ")\(RouteMarks.label(point))".fitted(to: 10)
                let gap = String(repeating: " ", count: max(1, 11 - label.cells))
                let east = point.place.east.formatted(decimals: 1)
                let north = point.place.north.formatted(decimals: 1)
                let text = "\(east), \(north), z \(point.z.formatted(decimals: 1))"
                let style: Style = point.hasFinding ? .tone(.danger) : .plain
                return Line(
                    spans: [
                        .init(label + gap, style.adding(.bold)), .init(text.fitted(to: max(0, area.columns - 11))),
                    ],
                    place: point.place)
            }
    }

    private var cursor: [Line] {
        state.cursorLines.isEmpty
            ? []
            : [heading("cross")]
                + state.cursorLines.map { Line(spans: [.init($0.fitted(to: area.columns), .muted)]) }
    }
}
