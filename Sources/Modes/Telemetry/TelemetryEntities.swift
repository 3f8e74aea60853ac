internal import FlightControl
internal import UAVLink

/// The panels of the telemetry screen, in Tab order.
package enum TelemetryPanel: Int, CaseIterable, Sendable {
    /// Position, heading, velocity, height.
    case motion
    /// Flight state, battery, satellites, tracker, estimator.
    case vehicle
    /// The trail of the last minute.
    case trail
    /// The history of some figures.
    case sparklines
    /// Messages of the vehicle.
    case messages
    /// The rate of each topic.
    case rates
    /// Topics that the user added.
    case topics

    /// The panels that show something of a vehicle which reports these parts of telemetry.
    ///
    /// - Parameter canHaveTopics: whether it may have ROS topics over some link; a machine with its own protocol has none over any.
    static func showing(_ parts: VehicleCapabilities.TelemetryParts, canHaveTopics: Bool = true) -> [Self] {
        allCases.filter { panel in
            switch panel {
            case .motion: !parts.isDisjoint(with: [.pose, .velocity, .height, .gnss, .range])
            case .trail: parts.contains(.pose)
            case .messages: parts.contains(.messages)
            case .rates: parts.contains(.topicRates)
            case .topics: canHaveTopics
            case .vehicle, .sparklines: true
            }
        }
    }

    /// Its title on the screen.
    package var title: String {
        switch self {
        case .motion: "Motion"
        case .vehicle: "Vehicle"
        case .trail: "Trail, last minute"
        case .sparklines: "Last minute"
        case .messages: "Messages"
        case .rates: "Topic rates"
        case .topics: "Topics"
        }
    }
}

/// The severity of a line.
package enum TelemetrySeverity: Hashable, Sendable {
    /// Normal, or not assessed.
    case plain
    /// No value.
    case unknown
    /// A warning.
    case warning
    /// Immediate action is required.
    case danger
}

/// A line: label, value, and the value's age if it is too old.
package struct TelemetryLine: Hashable, Sendable {
    package var label: String
    /// The value with its unit; "-" for none.
    package var value: String
    /// "3.2 s old", "slow", ...; empty if all is in order.
    package var note: String
    package var mark: TelemetrySeverity

    package init(_ label: String, _ value: String, note: String = "", mark: TelemetrySeverity = .plain) {
        self.label = label
        self.value = value
        self.note = note
        self.mark = mark
    }
}

/// The trail of the last minute, ENU metres.
package struct TelemetryTrail: Hashable, Sendable {
    /// A position.
    package struct Place: Hashable, Sendable {
        /// Metres to the east.
        package var east: Double
        /// Metres to the north.
        package var north: Double

        package init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }
    }

    /// Oldest first; the last one is the vehicle's position.
    package var places: [Place]
    /// The vehicle's heading, ENU radians; `nil` if unknown.
    package var headingRadians: Double?

    package init(places: [Place] = [], headingRadians: Double? = nil) {
        self.places = places
        self.headingRadians = headingRadians
    }
}

/// The history of a figure.
package struct SparklineHistory: Hashable, Sendable {
    package var label: String
    /// Oldest first, in even steps; `nil` where it was unknown.
    package var values: [Double?]
    /// The minimum span of the scale; smaller changes are noise.
    package var minimumSpan: Double
    /// The newest value, with its unit.
    package var newest: String
    /// Minimum and maximum, with their unit.
    package var range: String
    /// The unit of the values.
    package var unit: String
    /// What is said in place of a chart without values.
    package var lack = "no values yet"

    package init(
        _ label: String, values: [Double?], minimumSpan: Double, newest: String, range: String, unit: String = ""
    ) {
        self.unit = unit
        self.label = label
        self.values = values
        self.minimumSpan = minimumSpan
        self.newest = newest
        self.range = range
    }
}

/// A topic that the user added.
package struct TelemetryTopic: Hashable, Sendable {
    package var name: String
    /// Its type and rate, or what is awaited, or the error.
    package var status: String
    package var mark: TelemetrySeverity
    /// The newest message, one field per line.
    package var fields: [Field]

    /// A field of a message, or a nested message.
    package struct Field: Hashable, Sendable {
        /// Its nesting depth.
        package var depth: Int
        package var name: String
        /// Its value; empty for a nested message, whose fields follow.
        package var value: String

        package init(depth: Int, name: String, value: String) {
            self.depth = depth
            self.name = name
            self.value = value
        }
    }

    package init(name: String, status: String, mark: TelemetrySeverity = .plain, fields: [Field] = []) {
        self.name = name
        self.status = status
        self.mark = mark
        self.fields = fields
    }
}

/// The prompt for a topic's name.
package struct TopicPrompt: Hashable, Sendable {
    /// Names that begin with the typed text or contain it; the best first.
    package var suggestions: [String] = []
    /// The status of the list of names; empty when it is complete.
    package var note = ""
    /// Why the entered topic is refused; empty if it is not.
    package var problem = ""

    /// Starts with no text.
    package init() {}
}

/// The state of the telemetry screen.
package struct TelemetryScreenState: Hashable, Sendable {
    /// The vehicle's name; empty without a vehicle.
    package var vehicle = ""
    /// Position, heading, velocity, height: the most important first.
    package var motion: [TelemetryLine] = []
    /// Flight state, battery, satellites, tracker, estimator.
    package var vehicleLines: [TelemetryLine] = []
    /// How busy both computers are; below the vehicle's lines where there is space.
    package var hostLines: [TelemetryLine] = []
    package var trail = TelemetryTrail()
    /// The history of figures.
    package var sparklines: [SparklineHistory] = []
    /// The vehicle's messages, oldest first: the label is the severity.
    package var messages: [TelemetryLine] = []
    /// The rates, one line per topic.
    package var rates: [TelemetryLine] = []
    /// A summary of the rates.
    package var ratesSummary = TelemetryLine("", "-", mark: .unknown)
    /// Topics that the user added.
    package var topics: [TelemetryTopic] = []
    /// The index of the chosen topic, which x removes.
    package var selectedTopic = 0
    /// The panels that the vehicle has something for, in Tab order.
    package var panels = TelemetryPanel.allCases
    /// The panel that receives the keys.
    package var focus = TelemetryPanel.motion
    /// Whether that panel fills the screen.
    package var isEnlarged = false
    /// Whether the vehicle may have ROS topics over this link.
    package var hasTopics = true
    /// What is said where it has none.
    static let noTopics = "the vehicle has no ROS topics over this link"
    /// Lines scrolled in the focused panel, from its beginning, or from its end for messages.
    package var scroll = 0
    /// The prompt for a topic's name; `nil` if it is closed.
    package var prompt: TopicPrompt?

    /// The initial state, without values.
    package init() {}

    /// All lines of the vehicle's panel.
    var allVehicleLines: [TelemetryLine] {
        vehicleLines + (panels.contains(.rates) ? [ratesSummary] : []) + hostLines
    }
}

/// The user's intents on the telemetry screen.
package enum TelemetryIntent: Hashable, Sendable {
    /// The screen has this size, in cells.
    case resize(rows: Int, columns: Int)
    /// Focus the next panel (1) or the previous one (-1).
    case focus(Int)
    /// Focus a panel.
    case focusPanel(TelemetryPanel)
    /// Toggle the enlarged view of the focused panel.
    case enlarge
    /// Show all panels.
    case shrink
    /// Scroll by lines, down (positive) or up.
    case scroll(Int)
    /// Scroll to the end (`true`) or the beginning.
    case scrollToEnd(Bool)
    /// Choose the next topic (1) or the previous one (-1).
    case selectTopic(Int)
    /// Open the prompt for a topic.
    case openTopicPrompt
    /// The text typed so far.
    case typed(String)
    /// Add this topic.
    case addTopic(String)
    /// Close the prompt.
    case cancelTopicPrompt
    /// Remove the chosen topic.
    case removeTopic
}
