internal import FlightControl

/// The parts of the telemetry screen, in the order in which Tab goes through them.
public enum TelemetryPanel: Int, CaseIterable, Sendable {
    /// Position, heading, velocity, height.
    case motion
    /// Flight state, battery, satellites, tracker, estimator.
    case vehicle
    /// Where it was in the last minute.
    case trail
    /// The course of a few figures.
    case courses
    /// What the vehicle said.
    case messages
    /// How often each topic comes.
    case rates
    /// Topics that the person added.
    case topics

    /// Its name for people.
    public var title: String {
        switch self {
        case .motion: "Motion"
        case .vehicle: "Vehicle"
        case .trail: "Trail, last minute"
        case .courses: "Last minute"
        case .messages: "Messages"
        case .rates: "Topic rates"
        case .topics: "Topics"
        }
    }
}

/// How a line of telemetry is to be taken.
public enum TelemetryMark: Hashable, Sendable {
    /// As it should be, or no judgement.
    case plain
    /// Nothing known.
    case unknown
    /// Worth a look.
    case warning
    /// Act now.
    case danger
}

/// A line: what it is, what is known, and how old that is when it is older than it should be.
public struct TelemetryLine: Hashable, Sendable {
    /// What it is.
    public var label: String
    /// What is known, with its unit; "-" for nothing.
    public var value: String
    /// "3.2 s old", "slow", ...; empty when all is well.
    public var note: String
    /// How it is to be taken.
    public var mark: TelemetryMark

    /// A line.
    public init(_ label: String, _ value: String, note: String = "", mark: TelemetryMark = .plain) {
        self.label = label
        self.value = value
        self.note = note
        self.mark = mark
    }
}

/// The trail of the last minute, ENU metres.
public struct TelemetryTrail: Hashable, Sendable {
    /// A place.
    public struct Place: Hashable, Sendable {
        /// Metres to the east.
        public var east: Double
        /// Metres to the north.
        public var north: Double

        /// A place.
        public init(east: Double, north: Double) {
            self.east = east
            self.north = north
        }
    }

    /// Oldest first; the last one is where the vehicle is.
    public var places: [Place]
    /// Where it points, ENU radians; `nil` when nobody knows.
    public var headingRadians: Double?

    /// A trail.
    public init(places: [Place] = [], headingRadians: Double? = nil) {
        self.places = places
        self.headingRadians = headingRadians
    }
}

/// The course of a figure.
public struct TelemetryCourse: Hashable, Sendable {
    /// What it is.
    public var label: String
    /// Oldest first, in even steps; `nil` where nothing was known.
    public var values: [Double?]
    /// A change of less than this is no more than noise.
    public var leastSpan: Double
    /// The newest, with its unit.
    public var newest: String
    /// The least and the largest, with their unit.
    public var range: String

    /// A course.
    public init(_ label: String, values: [Double?], leastSpan: Double, newest: String, range: String) {
        self.label = label
        self.values = values
        self.leastSpan = leastSpan
        self.newest = newest
        self.range = range
    }
}

/// A topic that the person added.
public struct TelemetryTopic: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its type and rate, or what is waited for, or what failed.
    public var status: String
    /// How that is to be taken.
    public var mark: TelemetryMark
    /// Its newest message, a field a line.
    public var fields: [Field]

    /// A field of a message, or a message in it.
    public struct Field: Hashable, Sendable {
        /// How deep it lies.
        public var depth: Int
        /// Its name.
        public var name: String
        /// Its value; empty for a message whose fields follow.
        public var value: String

        /// A field.
        public init(depth: Int, name: String, value: String) {
            self.depth = depth
            self.name = name
            self.value = value
        }
    }

    /// A topic.
    public init(name: String, status: String, mark: TelemetryMark = .plain, fields: [Field] = []) {
        self.name = name
        self.status = status
        self.mark = mark
        self.fields = fields
    }
}

/// The question for a topic's name.
public struct TopicPrompt: Hashable, Sendable {
    /// Names that begin with, or hold, what was typed; the best first.
    public var suggestions: [String] = []
    /// What is the matter with the list of names; empty when it is there.
    public var note = ""

    /// Nothing typed.
    public init() {}
}

/// What the telemetry screen shows.
public struct TelemetryScreenState: Hashable, Sendable {
    /// Whose telemetry it is; empty for nobody's.
    public var vehicle = ""
    /// Position, heading, velocity, height: the most important first.
    public var motion: [TelemetryLine] = []
    /// Flight state, battery, satellites, tracker, estimator.
    public var vehicleLines: [TelemetryLine] = []
    /// Where it was.
    public var trail = TelemetryTrail()
    /// The course of figures.
    public var courses: [TelemetryCourse] = []
    /// What the vehicle said, oldest first: the label is a word for how much it matters.
    public var messages: [TelemetryLine] = []
    /// The rates, one topic a line.
    public var rates: [TelemetryLine] = []
    /// All rates in one line.
    public var ratesSummary = TelemetryLine("", "-", mark: .unknown)
    /// Topics that the person added.
    public var topics: [TelemetryTopic] = []
    /// Which of them x removes.
    public var chosenTopic = 0
    /// The panel that keys act on.
    public var focus = TelemetryPanel.motion
    /// Whether that panel has the whole screen.
    public var isEnlarged = false
    /// Lines that the focused panel is scrolled away from its beginning, or from its end for messages.
    public var scroll = 0
    /// The question for a topic's name; `nil` when it is not asked.
    public var prompt: TopicPrompt?

    /// Nothing known.
    public init() {}
}

/// What the person did on the telemetry screen.
public enum TelemetryIntent: Hashable, Sendable {
    /// Went to the next panel (1) or the one before (-1).
    case focus(Int)
    /// Wants the focused panel large, or all of them again.
    case enlarge
    /// Wants all panels again.
    case shrink
    /// Scrolls so many lines down, or up when negative.
    case scroll(Int)
    /// Goes to the beginning or the end.
    case scrollToEnd(Bool)
    /// Chooses the next topic (1) or the one before (-1).
    case chooseTopic(Int)
    /// Wants to add a topic.
    case askForTopic
    /// Typed so much of a topic's name.
    case typed(String)
    /// Wants that topic.
    case addTopic(String)
    /// Wants no topic after all.
    case cancelTopic
    /// Wants the chosen topic away.
    case removeTopic
}
