internal import TextScreen

/// The layout of the panels. Panels that do not fit a small area are reached with Tab, or enlarged.
///
/// A panel has its usual height, so that the screen stays as it is while values come and go. Rows that it does not need
/// go to a panel of the same column that would be cut.
struct TelemetryLayout {
    /// A panel and its area.
    struct Place: Hashable {
        var panel: TelemetryPanel
        var area: ScreenArea
    }

    var area: ScreenArea
    var focus: TelemetryPanel
    var isEnlarged: Bool
    var hasTopics: Bool
    /// The panels that there are; the others leave their place to their neighbours.
    var panels = TelemetryPanel.allCases
    /// The number of lines that a panel has to show, but for topics.
    private let lines: [TelemetryPanel: Int]
    private let topics: [TelemetryTopic]

    /// The layout of a state's panels in an area.
    init(_ state: TelemetryScreenState, in area: ScreenArea) {
        self.area = area
        (focus, isEnlarged, panels) = (state.focus, state.isEnlarged, state.panels)
        hasTopics = !state.topics.isEmpty
        topics = state.topics
        lines = [
            .motion: state.motion.count, .vehicle: state.allVehicleLines.count,
            .sparklines: state.sparklines.count, .messages: state.messages.count, .rates: state.rates.count,
        ]
    }

    /// The number of visible lines of the focused panel; limits scrolling.
    var visibleLines: Int { max(1, (places.first { $0.panel == focus }?.area.rows ?? 0) - 2) }

    /// Whether the focused panel has more lines than it shows.
    var scrolls: Bool {
        let columns = columns(of: .topics)
        let count =
            focus == .topics
            ? topics.reduce(0) { $0 + TopicRows(topic: $1, columns: columns).count } : lines[focus] ?? 0
        // A message may take several lines of the enlarged panel.
        return count > visibleLines || focus == .messages && isEnlarged && count > 1
    }

    /// The columns of text in a panel, inside of its frame and margin; 0 for a hidden one.
    func columns(of panel: TelemetryPanel) -> Int {
        max(0, (places.first { $0.panel == panel }?.area.columns ?? 0) - Self.margins)
    }

    /// The columns of a panel's frame and margin.
    private static let margins = 3

    /// The usual rows of the panels, with their frames.
    private enum Height {
        static let motion = 10
        static let vehicle = 9
        static let sparklines = 7
        static let rates = 14
        static let topics = 14
        /// The fewest of a panel with lines.
        static let least = 3
        /// The fewest of messages: three lines.
        static let leastMessages = 5
    }

    // MARK: Rows

    /// A panel's share of its column: the rows that it needs with its frame, and those that it usually has.
    private struct Share {
        var need: Int
        var usual: Int
    }

    /// The rows that a panel needs with its frame; one line also says that there is nothing.
    private func need(_ panel: TelemetryPanel) -> Int { max(1, lines[panel] ?? 0) + 2 }

    /// The rows that topics need in a panel of so many columns; without topics two lines say how to add one.
    private func needOfTopics(columns: Int) -> Int {
        guard has(.topics) else { return 0 }
        guard hasTopics else { return 4 }
        return topics.reduce(2) { $0 + TopicRows(topic: $1, columns: max(0, columns - Self.margins)).count }
    }

    private func share(_ panel: TelemetryPanel, usual: Int) -> Share {
        has(panel) ? Share(need: need(panel), usual: usual) : Share(need: 0, usual: 0)
    }

    /// Divides a column among panels and a last one, which gets the rest. Each has what it needs, and its usual rows as
    /// far as the others do not need them; if the needs do not fit, the highest panel gets less first.
    ///
    /// - Parameters:
    ///   - last: the rows that the last panel needs.
    ///   - least: the rows that are left for it if it needs them.
    private static func heights(_ shares: [Share], in rows: Int, last: Int, least: Int) -> [Int] {
        var heights = shares.map(\.need)
        var free = rows - last - heights.reduce(0, +)
        for index in shares.indices where free > 0 {
            let more = min(max(0, shares[index].usual - heights[index]), free)
            heights[index] += more
            free -= more
        }
        var excess = heights.reduce(0, +) - max(0, rows - min(last, least))
        while excess > 0, let highest = heights.indices.max(by: { heights[$0] < heights[$1] }), heights[highest] > 0 {
            heights[highest] -= 1
            excess -= 1
        }
        return heights
    }

    /// The rows of the rates above topics.
    private func rowsOfRates(above topics: Int, in rows: Int) -> Int {
        guard has(.rates) else { return 0 }
        guard has(.topics) else { return rows }
        let rates = need(.rates)
        guard rates + topics <= rows else { return max(rows - topics, min(rates, rows / 2)) }
        return max(rates, min(Height.rates, rows - topics))
    }

    /// Whether there is space for more than one panel.
    var hasRoom: Bool { area.columns >= 72 && area.rows >= 17 }

    /// All visible panels.
    var places: [Place] {
        if isEnlarged || !hasRoom { return [Place(panel: focus, area: area)] }
        let isLarge = area.columns >= 112 && area.rows >= 32
        let places = !isLarge ? medium : area.columns >= 170 && area.rows >= 40 ? huge : large
        return places.filter { panels.contains($0.panel) }
    }

    private func has(_ panel: TelemetryPanel) -> Bool { panels.contains(panel) }

    /// Two columns. The lower panels depend on the focus.
    private var medium: [Place] {
        let (left, right) = area.split(left: min(area.columns * 48 / 80, 56))
        let (motion, vehicle, corner) = leftColumn(left, usual: Height.vehicle, leastRates: 0)
        let messageRows = max(4, area.rows - 17)
        let (trail, under) = right.split(top: has(.trail) ? right.rows - Height.sparklines - messageRows : 0)
        let (middle, messages) = under.split(top: has(.messages) ? under.rows - messageRows : under.rows)
        var places = [
            Place(panel: .motion, area: motion), Place(panel: .vehicle, area: vehicle),
            Place(panel: .messages, area: messages),
        ]
        let cornerShowsRates = corner.rows >= Height.least
        if cornerShowsRates { places.append(Place(panel: .rates, area: corner)) }
        // Topics, which the user added explicitly, have priority over the figures, and the focused panel over both.
        switch focus {
        case .topics: places.append(Place(panel: .topics, area: joined(trail, middle)))
        case .rates where !cornerShowsRates: places.append(Place(panel: .rates, area: joined(trail, middle)))
        default:
            places.append(Place(panel: .trail, area: trail))
            places.append(Place(panel: hasTopics && focus != .sparklines ? .topics : .sparklines, area: middle))
        }
        return places
    }

    /// Motion, vehicle and rates, one below the other; the vehicle gets the rows of rates that do not fit.
    private func leftColumn(
        _ left: ScreenArea, usual: Int, leastRates: Int
    ) -> (motion: ScreenArea, vehicle: ScreenArea, rates: ScreenArea) {
        guard has(.rates) else {
            let heights = Self.heights(
                [share(.motion, usual: Height.motion)], in: left.rows, last: need(.vehicle), least: need(.vehicle))
            let (motion, vehicle) = left.split(top: heights[0])
            return (motion, vehicle, vehicle.split(top: vehicle.rows).rest)
        }
        let heights = Self.heights(
            [share(.motion, usual: Height.motion), share(.vehicle, usual: usual)], in: left.rows, last: need(.rates),
            least: leastRates)
        let (motion, below) = left.split(top: heights[0])
        let (vehicle, rates) = below.split(
            top: below.rows - heights[1] >= Height.least ? heights[1] : below.rows)
        return (motion, vehicle, rates)
    }

    /// All panels.
    private var large: [Place] {
        let rightColumns = has(.rates) || has(.topics) ? 36 : 0
        let (left, rest) = area.split(left: has(.trail) ? 46 : area.columns - rightColumns)
        let (middle, right) = rest.split(left: rest.columns - rightColumns)
        let upper = [share(.motion, usual: Height.motion), share(.vehicle, usual: Height.vehicle)]
        let history = share(.sparklines, usual: Height.sparklines)
        // Without messages the history has their place.
        let heights =
            has(.messages)
            ? Self.heights(upper + [history], in: left.rows, last: need(.messages), least: Height.leastMessages)
            : Self.heights(upper, in: left.rows, last: history.need, least: Height.sparklines) + [left.rows]
        let (motion, below) = left.split(top: heights[0])
        let (vehicle, lower) = below.split(top: heights[1])
        let (sparklines, messagesLeft) = lower.split(top: heights[2])
        let (trail, _) = middle.split(top: area.rows - messagesLeft.rows)
        let (rates, topics) = right.split(
            top: rowsOfRates(above: needOfTopics(columns: right.columns), in: right.rows))
        let messages = ScreenArea(
            row: messagesLeft.row, column: area.column, rows: messagesLeft.rows, columns: left.columns + middle.columns)
        return [
            Place(panel: .motion, area: motion), Place(panel: .vehicle, area: vehicle),
            Place(panel: .sparklines, area: sparklines), Place(panel: .messages, area: messages),
            Place(panel: .trail, area: trail), Place(panel: .rates, area: rates), Place(panel: .topics, area: topics),
        ]
    }

    /// All panels, the history as charts.
    private var huge: [Place] {
        let (left, rest) = area.split(left: 58)
        // The charts get the column that nothing else needs.
        let hasUpper = has(.trail) || has(.topics)
        let (middle, right) = rest.split(left: hasUpper || has(.messages) ? rest.columns - 62 : 0)
        let (motion, vehicle, rates) = leftColumn(left, usual: Height.vehicle + 2, leastRates: Height.rates)
        let messageRows = !has(.messages) ? 0 : hasUpper ? 10 : middle.rows
        let (upper, messages) = middle.split(top: middle.rows - messageRows)
        let topicRows =
            hasTopics
            ? min(max(Height.topics, needOfTopics(columns: middle.columns)), upper.rows / 2)
            : needOfTopics(columns: middle.columns)
        let (trail, topics) = upper.split(top: has(.trail) ? upper.rows - topicRows : 0)
        return [
            Place(panel: .motion, area: motion), Place(panel: .vehicle, area: vehicle),
            Place(panel: .rates, area: rates), Place(panel: .trail, area: trail), Place(panel: .topics, area: topics),
            Place(panel: .messages, area: messages), Place(panel: .sparklines, area: right),
        ]
    }

    private func joined(_ upper: ScreenArea, _ lower: ScreenArea) -> ScreenArea {
        ScreenArea(row: upper.row, column: upper.column, rows: upper.rows + lower.rows, columns: upper.columns)
    }
}
