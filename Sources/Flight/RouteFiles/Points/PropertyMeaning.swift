internal import Trajectories
internal import UAVLink

/// What a property, an element or a column of another program says of the flight, by its name.
enum PropertyMeaning {
    case speed(factor: Double)
    /// A limit of unknown meaning.
    case limit
    /// A column that tables read.
    case column(TableColumn)
    /// A wait that tables do not read.
    case wait
    /// A heading, an altitude or the camera, in words that tables do not read.
    case flown
    /// Nothing.
    case none

    /// Courses of recorded tracks and compass bearings among them: ENU headings have names that tables read.
    private static let flownWords: Set<String> = [
        "heading", "hdg", "yaw", "bearing", "course", "cog", "azimuth", "alt", "altitude", "height", "ele", "elevation",
        "agl", "amsl", "msl", "snapshot",
    ]
    private static let waitWords: Set<String> = [
        "hold", "wait", "loiter", "hover", "delay", "dwell", "pause", "holdtime", "waittime", "loitertime", "hovertime",
    ]

    init(name: String) {
        if let factor = FileSpeed.factor(ofName: name) {
            self = .speed(factor: factor)
        } else if FileSpeed.isLimit(name) {
            self = .limit
        } else {
            let column = TableColumn(header: name)
            switch column {
            case .heading, .altitude, .z, .cameraPitchDegrees, .annotation("hold_s"): self = .column(column)
            case .annotation: self = .flown
            case .x, .y, .latitude, .longitude, .name: self = .none
            case .unknown:
                let words = FileSpeed.words(of: name)
                self =
                    Self.isFlown(words) ? .flown : Set(words).isDisjoint(with: Self.waitWords) ? .none : .wait
            }
        }
    }

    private static func isFlown(_ words: [String]) -> Bool {
        // A z in another unit than metres.
        if words.first == "z" || !flownWords.isDisjoint(with: words) { return true }
        return words.contains("pitch") && (words.contains("camera") || words.contains("gimbal"))
    }
}

extension RouteBuilder {
    /// Applies a property of another program to a point where its meaning is certain, as tables do; what else it says of the
    /// flight is left out with a warning.
    ///
    /// - Parameter source: the property, for display.
    /// - Returns: whether the point holds it.
    @discardableResult
    mutating func take(property name: String, _ text: String, source: String, to point: inout RoutePoint) -> Bool {
        guard case .column(let column) = meaning(of: name) else {
            leaveOut(property: name, text, source: source)
            return false
        }
        let text = XMLText.trimmed(text)
        let value = PlainNumber.double(text)
        switch (column, value) {
        case (.heading, nil) where text == "along_path": point.heading = .alongPath
        case (.heading(isDegrees: let isDegrees?), let value?):
            point.heading = .fixed(radians: isDegrees ? Heading.radians(degrees: value) : value)
            note(ReadRoute.compassNote, isLoss: false)
        case (.annotation, let value?) where value >= 0: point.holdSeconds = value
        case (.cameraPitchDegrees, let value?): point.cameraPitchRadians = Heading.radians(degrees: value)
        // Beside the coordinates once more.
        case (.altitude(let said), let value?)
        where value == point.altitude?.metres && (said == nil || said == point.altitude?.reference):
            return true
        case (.z, let value?) where value == point.altitude?.metres: return true
        case (.altitude(let reference?), let value?) where point.altitude == nil:
            point.altitude = .init(metres: value, reference: reference)
        default:
            leaveOut(property: name, text, source: source)
            return false
        }
        return true
    }

    /// Notes how headings in degrees are read: other programs may mean compass headings.
    mutating func noteHeadings(_ entries: [(key: String, text: String)]) {
        if entries.contains(where: { $0.key == "heading_deg" }) { note(ReadRoute.compassNote, isLoss: false) }
    }

    /// Leaves a property of another program out, with a warning if it says something of the flight.
    mutating func leaveOut(property name: String, _ text: String, source: String) {
        let text = XMLText.trimmed(text)
        if text.isEmpty || text == "false" { return }
        switch meaning(of: name) {
        case .speed(let factor):
            note("\(source) is left out")
            demand(speed: text, factor: factor, source: source)
        case .limit: omit("\(source) is left out, and may limit the flight")
        case .column(.heading(isDegrees: nil)):
            omit(
                "\(source) is left out because its unit is not given: name it heading_deg or heading_rad, counter-clockwise"
                    + " from east")
        case .column(.altitude(nil)), .column(.z):
            omit(
                "\(source) is left out because its reference is not given: name it altitude_amsl, altitude_ellipsoid,"
                    + " altitude_ground or altitude_home")
        case .wait where PlainNumber.double(text) == 0: break
        case .column, .wait, .flown: omit("\(source) is left out, and the route is flown without it")
        case .none: break
        }
    }
}
