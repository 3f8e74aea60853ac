internal import TextScreen

/// Where each panel stands. What has no place in a small area is seen by going to it with Tab, or enlarged.
struct TelemetryLayout {
    /// A panel and its place.
    struct Place: Hashable {
        var panel: TelemetryPanel
        var area: ScreenArea
    }

    var area: ScreenArea
    var focus: TelemetryPanel
    var isEnlarged: Bool
    var hasTopics: Bool

    /// Lines of the panels whose number of lines is known, with their frames.
    private enum Height {
        static let motion = 10
        static let vehicle = 9
        static let courses = 7
        static let rates = 14
    }

    /// All panels that are seen.
    var places: [Place] {
        if isEnlarged || area.columns < 72 || area.rows < 17 { return [Place(panel: focus, area: area)] }
        return area.columns >= 112 && area.rows >= 32 ? large : medium
    }

    /// Two columns. The lower ones change with what the person looks at.
    private var medium: [Place] {
        let (left, right) = area.split(left: min(area.columns * 48 / 80, 56))
        let (motion, below) = left.split(top: min(Height.motion, left.rows - Height.vehicle))
        let (vehicle, corner) = below.split(top: Height.vehicle)
        let messageRows = max(4, area.rows - 17)
        let (trail, under) = right.split(top: right.rows - Height.courses - messageRows)
        let (middle, messages) = under.split(top: Height.courses)
        var places = [
            Place(panel: .motion, area: motion), Place(panel: .vehicle, area: vehicle),
            Place(panel: .messages, area: messages),
        ]
        let cornerShowsRates = corner.rows >= 3
        if cornerShowsRates { places.append(Place(panel: .rates, area: corner)) }
        // Topics that somebody added on purpose go before the courses, and whatever has the focus before both.
        switch focus {
        case .topics: places.append(Place(panel: .topics, area: joined(trail, middle)))
        case .rates where !cornerShowsRates: places.append(Place(panel: .rates, area: joined(trail, middle)))
        default:
            places.append(Place(panel: .trail, area: trail))
            places.append(Place(panel: hasTopics && focus != .courses ? .topics : .courses, area: middle))
        }
        return places
    }

    /// Everything at once.
    private var large: [Place] {
        let (left, rest) = area.split(left: 46)
        let (middle, right) = rest.split(left: rest.columns - 36)
        let (motion, below) = left.split(top: Height.motion)
        let (vehicle, lower) = below.split(top: Height.vehicle)
        let (courses, messagesLeft) = lower.split(top: Height.courses)
        let (trail, _) = middle.split(top: area.rows - messagesLeft.rows)
        let (rates, topics) = right.split(top: Height.rates)
        let messages = ScreenArea(
            row: messagesLeft.row, column: area.column, rows: messagesLeft.rows, columns: left.columns + middle.columns)
        return [
            Place(panel: .motion, area: motion), Place(panel: .vehicle, area: vehicle),
            Place(panel: .courses, area: courses), Place(panel: .messages, area: messages),
            Place(panel: .trail, area: trail), Place(panel: .rates, area: rates), Place(panel: .topics, area: topics),
        ]
    }

    private func joined(_ upper: ScreenArea, _ lower: ScreenArea) -> ScreenArea {
        ScreenArea(row: upper.row, column: upper.column, rows: upper.rows + lower.rows, columns: upper.columns)
    }
}
