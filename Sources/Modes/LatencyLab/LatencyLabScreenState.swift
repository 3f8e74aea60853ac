public import LatencyMeasurement
public import ModeKit

/// What the laboratory's screen shows.
public struct LatencyLabScreenState: Hashable, Sendable {
    /// What one does in it.
    public enum Phase: Hashable, Sendable {
        /// Chooses what to measure.
        case choosing
        /// Waits for it.
        case measuring
        /// Reads what came out.
        case reading
    }

    /// What one does in it.
    public var phase = Phase.choosing
    /// What can be chosen.
    public var setup = LatencySetup()
    /// What has happened so far, while it measures.
    public var progress = LatencyProgress()
    /// What came out; absent before anything was measured.
    public var results: LatencyReading?
    /// A question that waits for a line of text.
    public var prompt: LatencyPrompt?
    /// What must be agreed to.
    public var confirmation: ConfirmationRequest?

    /// Nothing chosen.
    public init() {}
}

/// What can be chosen, line by line.
public struct LatencySetup: Hashable, Sendable {
    /// A line.
    public struct Line: Hashable, Sendable {
        /// What the line is about, on the first of several: `Links`.
        public var section = ""
        /// Whether it is chosen; `nil` for a line with a value.
        public var isChosen: Bool?
        /// The choice, or the value.
        public var title: String
        /// More about it.
        public var detail = ""
        /// Whether it can be chosen.
        public var isPossible = true

        /// A line.
        public init(
            section: String = "", isChosen: Bool? = nil, title: String, detail: String = "", isPossible: Bool = true
        ) {
            self.section = section
            self.isChosen = isChosen
            self.title = title
            self.detail = detail
            self.isPossible = isPossible
        }
    }

    /// The lines from the top.
    public var lines: [Line] = []
    /// Which line keys act on.
    public var selected = 0
    /// What is measured, how long it takes, what the vehicle does meanwhile.
    public var summary = ""
    /// Why it cannot be measured, or why it failed; empty when nothing is wrong.
    public var problem = ""
    /// Whether something was measured before that can be looked at.
    public var hasResults = false

    /// Nothing to choose.
    public init() {}
}

/// What has happened so far, while it measures.
public struct LatencyProgress: Hashable, Sendable {
    /// What is being done: `condition 2 of 5: delay=20ms`.
    public var doing = ""
    /// The round and the time: `round 3, 8 of 20 s, about 1 min 12 s left`.
    public var time = ""
    /// How much of it is done, 0 to 1.
    public var fraction = 0.0
    /// What the condition under way has come to, and those before it, the newest first.
    public var tables: [LatencyTableSection] = []
    /// What went wrong: links that were left out.
    public var notes: [String] = []
    /// Whether it is being ended.
    public var isEnding = false
    /// The vehicle.
    public var vehicle = ""

    /// Nothing so far.
    public init() {}
}

/// What came out, and which part of it is looked at.
public struct LatencyReading: Hashable, Sendable {
    /// What came out.
    public var shown: LatencyShown
    /// The page.
    public var page = LatencyLabPage.table
    /// Which condition, from 0.
    public var condition = 0
    /// Which kind the charts show.
    public var kind = SeriesKind.steering
    /// The kinds that the charts can show.
    public var kinds: [SeriesKind] = []
    /// How many lines are above what is seen.
    public var scroll = 0
    /// The condition's table.
    public var table: [LatencyTableSection] = []
    /// All conditions side by side, of the kind that the charts show.
    public var comparison: [LatencyTableSection] = []
    /// Where it was written to last; empty when it was not.
    public var savedAs = ""

    /// The first page of what came out.
    public init(_ shown: LatencyShown) { self.shown = shown }
}

/// What came out of a measurement, told from others by its number.
public struct LatencyShown: Hashable, Sendable {
    /// Numbers measurements in their order.
    public let id: Int
    /// What came out.
    public let result: LatencyResult

    /// What came out of a measurement.
    public init(id: Int, _ result: LatencyResult) {
        self.id = id
        self.result = result
    }

    /// Whether it is the same measurement.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// By its number.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A page of what came out.
public enum LatencyLabPage: String, CaseIterable, Hashable, Sendable {
    /// The figures.
    case table = "Table"
    /// How many were how late.
    case distribution = "Distribution"
    /// Where the time went.
    case stages = "Stages"
    /// When they were late.
    case time = "Time"
    /// Whether one can fly with it.
    case verdict = "Verdict"
    /// All conditions side by side.
    case conditions = "Conditions"
}

/// A question for a line of text.
public struct LatencyPrompt: Hashable, Sendable {
    /// What is asked for.
    public enum Kind: Hashable, Sendable {
        /// A condition of the network.
        case condition
        /// How long, seconds.
        case length
        /// Setpoints a second.
        case rate
        /// Where to write what came out.
        case path
    }

    /// What is asked for.
    public var kind: Kind
    /// What is asked.
    public var title: String
    /// What stands in the line at first.
    public var text: String
    /// What can be typed.
    public var hint: String
    /// What was wrong with the last answer; empty when nothing.
    public var note = ""
    /// Goes up when the text is another one, a completed one.
    public var revision = 0

    /// A question.
    public init(_ kind: Kind, title: String, text: String = "", hint: String = "") {
        self.kind = kind
        self.title = title
        self.text = text
        self.hint = hint
    }
}
