internal import FlightControl
internal import UAVLink

/// The panels of the telemetry screen, in Tab order.
public enum TelemetryPanel: Int, CaseIterable, Sendable {
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
    static func showing(_ parts: VehicleCapabilities.TelemetryParts) -> [Self] {
        allCases.filter { panel in
            switch panel {
            case .motion: !parts.isDisjoint(with: [.pose, .velocity, .height, .gnss, .range])
            case .trail: parts.contains(.pose)
            case .messages: parts.contains(.messages)
            case .rates: parts.contains(.topicRates)
            case .vehicle, .sparklines, .topics: true
            }
        }
    }

    /// Its title on the screen.
    public var title: String {
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
public enum TelemetrySeverity: Hashable, Sendable {
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
public struct TelemetryLine: Hashable, Sendable {
    /// The label.
    public var label: String
    /// The value with its unit; "-" for none.
    public var value: String
    /// "3.2 s old", "slow", ...; empty if all is in order.
    public var note: String
    /// The severity.
    public var mark: TelemetrySeverity

    /// Creates a line.
    public init(_ label: String, _ value: String, note: String = "", mark: TelemetrySeverity = .plain) {
        self.label = label
        self.value = value
        self.note = note
        self.mark = mark
    }
}

/// The trail of the last minute, ENU metres.
public struct TelemetryTrail: Hashable, Sendable {
    /// A position.
    public struct Place: Hashable, Sendable {
        /// Metres to the east.
        public var east: Double
        /// Metres to the north.
        public var north: Double

        /// Creates a position.
        public init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }
    }

    /// Oldest first; the last one is the vehicle's position.
    public var places: [Place]
    /// The vehicle's heading, ENU radians; `nil` if unknown.
    public var headingRadians: Double?

    /// Creates a trail.
    public init(places: [Place] = [], headingRadians: Double? = nil) {
        self.places = places
        self.headingRadians = headingRadians
    }
}

/// The history of a figure.
public struct SparklineHistory: Hashable, Sendable {
    /// The label.
    public var label: String
    /// Oldest first, in even steps; `nil` where it was unknown.
    public var values: [Double?]
    /// The minimum span of the scale; smaller changes are noise.
    public var minimumSpan: Double
    /// The newest value, with its unit.
    public var newest: String
    /// Minimum and maximum, with their unit.
    public var range: String

    /// Creates a course.
    public init(_ label: String, values: [Double?], minimumSpan: Double, newest: String, range: String) {
        self.label = label
        self.values = values
        self.minimumSpan = minimumSpan
        self.newest = newest
        self.range = range
    }
}

/// A topic that the user added.
public struct TelemetryTopic: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its type and rate, or what is awaited, or the error.
    public var status: String
    /// The severity.
    public var mark: TelemetrySeverity
    /// The newest message, one field per line.
    public var fields: [Field]

    /// A field of a message, or a nested message.
    public struct Field: Hashable, Sendable {
        /// Its nesting depth.
        public var depth: Int
        /// Its name.
        public var name: String
        /// Its value; empty for a nested message, whose fields follow.
        public var value: String

        /// Creates a field.
        public init(depth: Int, name: String, value: String) {
            self.depth = depth
            self.name = name
            self.value = value
        }
    }

    /// Creates a topic.
    public init(name: String, status: String, mark: TelemetrySeverity = .plain, fields: [Field] = []) {
        self.name = name
        self.status = status
        self.mark = mark
        self.fields = fields
    }
}

/// The prompt for a topic's name.
public struct TopicPrompt: Hashable, Sendable {
    /// Names that begin with the typed text or contain it; the best first.
    public var suggestions: [String] = []
    /// The status of the list of names; empty when it is complete.
    public var note = ""

    /// Starts with no text.
    public init() {}
}

/// The state of the telemetry screen.
public struct TelemetryScreenState: Hashable, Sendable {
    /// The vehicle's name; empty without a vehicle.
    public var vehicle = ""
    /// Position, heading, velocity, height: the most important first.
    public var motion: [TelemetryLine] = []
    /// Flight state, battery, satellites, tracker, estimator.
    public var vehicleLines: [TelemetryLine] = []
    /// The trail.
    public var trail = TelemetryTrail()
    /// The history of figures.
    public var sparklines: [SparklineHistory] = []
    /// The vehicle's messages, oldest first: the label is the severity.
    public var messages: [TelemetryLine] = []
    /// The rates, one line per topic.
    public var rates: [TelemetryLine] = []
    /// A summary of the rates.
    public var ratesSummary = TelemetryLine("", "-", mark: .unknown)
    /// Topics that the user added.
    public var topics: [TelemetryTopic] = []
    /// The index of the chosen topic, which x removes.
    public var selectedTopic = 0
    /// The panels that the vehicle has something for, in Tab order.
    public var panels = TelemetryPanel.allCases
    /// The panel that receives the keys.
    public var focus = TelemetryPanel.motion
    /// Whether that panel fills the screen.
    public var isEnlarged = false
    /// Lines scrolled in the focused panel, from its beginning, or from its end for messages.
    public var scroll = 0
    /// The prompt for a topic's name; `nil` if it is closed.
    public var prompt: TopicPrompt?

    /// The initial state, without values.
    public init() {}
}

/// The user's intents on the telemetry screen.
public enum TelemetryIntent: Hashable, Sendable {
    /// The screen has this size, in cells.
    case resize(rows: Int, columns: Int)
    /// Focus the next panel (1) or the previous one (-1).
    case focus(Int)
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
