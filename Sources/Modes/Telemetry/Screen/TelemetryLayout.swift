internal import TextScreen

/// The layout of the panels. Panels that do not fit a small area are reached with Tab, or enlarged.
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

    /// The layout of a state's panels in an area.
    init(_ state: TelemetryScreenState, in area: ScreenArea) {
        self.area = area
        (focus, isEnlarged, panels) = (state.focus, state.isEnlarged, state.panels)
        hasTopics = !state.topics.isEmpty
    }

    /// The number of visible lines of the focused panel; limits scrolling.
    var visibleLines: Int { max(1, (places.first { $0.panel == focus }?.area.rows ?? 0) - 2) }

    /// The columns of text in a panel, inside of its frame and margin; 0 for a hidden one.
    func columns(of panel: TelemetryPanel) -> Int {
        max(0, (places.first { $0.panel == panel }?.area.columns ?? 0) - 3)
    }

    /// Lines of the panels of known height, with their frames.
    private enum Height {
        static let motion = 10
        static let vehicle = 9
        static let sparklines = 7
        static let rates = 14
    }

    /// Whether there is room for more than one panel.
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
        let (motion, below) = left.split(top: has(.motion) ? min(Height.motion, left.rows - Height.vehicle) : 0)
        let (vehicle, corner) = below.split(top: has(.rates) ? Height.vehicle : below.rows)
        let messageRows = max(4, area.rows - 17)
        let (trail, under) = right.split(top: has(.trail) ? right.rows - Height.sparklines - messageRows : 0)
        let (middle, messages) = under.split(top: has(.messages) ? under.rows - messageRows : under.rows)
        var places = [
            Place(panel: .motion, area: motion), Place(panel: .vehicle, area: vehicle),
            Place(panel: .messages, area: messages),
        ]
        let cornerShowsRates = corner.rows >= 3
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

    /// All panels.
    private var large: [Place] {
        let (left, rest) = area.split(left: has(.trail) ? 46 : area.columns - 36)
        let (middle, right) = rest.split(left: rest.columns - 36)
        let (motion, below) = left.split(top: has(.motion) ? Height.motion : 0)
        let (vehicle, lower) = below.split(top: Height.vehicle)
        let (sparklines, messagesLeft) = lower.split(top: has(.messages) ? Height.sparklines : lower.rows)
        let (trail, _) = middle.split(top: area.rows - messagesLeft.rows)
        let (rates, topics) = right.split(top: has(.rates) ? Height.rates : 0)
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
        let (middle, right) = rest.split(left: rest.columns - 62)
        let (motion, below) = left.split(top: has(.motion) ? Height.motion : 0)
        let (vehicle, rates) = below.split(top: has(.rates) ? Height.vehicle + 2 : below.rows)
        let messageRows = has(.messages) ? 10 : 0
        let (upper, messages) = middle.split(top: middle.rows - messageRows)
        let (trail, topics) = upper.split(top: has(.trail) ? upper.rows - (hasTopics ? 14 : 4) : 0)
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
