public import LatencyMeasurement
public import ModeKit

/// The screen state of the latency laboratory.
public struct LatencyLabScreenState: DialogScreenState, Hashable, Sendable {
    /// The phase of the work.
    public enum Phase: Hashable, Sendable {
        /// Setup: selecting what to measure.
        case choosing
        /// The measurement is running.
        case measuring
        /// Results are displayed.
        case reading
    }

    /// The phase of the work.
    public var phase = Phase.choosing
    /// The setup.
    public var setup = LatencySetup()
    /// The progress of the running measurement.
    public var progress = LatencyProgress()
    /// The results; `nil` unless the phase is ``Phase/reading``.
    public var results: LatencyResultsState?
    /// The open prompt.
    public var prompt: LatencyPrompt?
    /// The open confirmation.
    public var confirmation: ConfirmationRequest?

    /// Creates an empty state.
    public init() {}
}

/// The lines of the setup.
public struct LatencySetup: Hashable, Sendable {
    /// A line of the setup.
    public struct Line: Hashable, Sendable {
        /// The section, on its first line: `Links`.
        public var section = ""
        /// Whether the line is selected; `nil` for a line with a value.
        public var isChosen: Bool?
        /// The option, or the value.
        public var title: String
        /// Details.
        public var detail = ""
        /// Whether the line can be selected.
        public var isPossible = true

        /// A line of the setup.
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
    /// The line with the cursor.
    public var selected = 0
    /// What is measured, its duration, and what the vehicle does.
    public var summary = ""
    /// Why the measurement cannot start, or why it failed; empty for no problem.
    public var problem = ""
    /// Whether results of an earlier measurement exist.
    public var hasResults = false

    /// Creates an empty setup.
    public init() {}
}

/// The progress of the running measurement.
public struct LatencyProgress: Hashable, Sendable {
    /// The current step: `condition 2 of 5: delay=20ms`.
    public var doing = ""
    /// The round and the time: `round 3, 8 of 20 s, about 1 min 12 s left`.
    public var time = ""
    /// The completed fraction, 0 to 1.
    public var fraction = 0.0
    /// The tables of the current condition and of the completed ones, the newest first.
    public var tables: [LatencyTableSection] = []
    /// Warnings: links that were left out.
    public var notes: [String] = []
    /// Whether the measurement is being ended.
    public var isEnding = false
    /// The vehicle's title.
    public var vehicle = ""

    /// Creates an empty progress.
    public init() {}
}

/// The results, and which part of them is displayed.
public struct LatencyResultsState: Hashable, Sendable {
    /// The result.
    public var shown: LatencyLabResult
    /// The displayed page.
    public var page = LatencyLabPage.table
    /// The index of the displayed condition.
    public var condition = 0
    /// The kind that the charts display.
    public var kind = SeriesKind.steering
    /// The kinds that the charts can display.
    public var kinds: [SeriesKind] = []
    /// The number of lines scrolled off the top.
    public var scroll = 0
    /// The tables of the displayed condition.
    public var table: [LatencyTableSection] = []
    /// The comparison of all conditions for the displayed kind.
    public var comparison: [LatencyTableSection] = []
    /// The path of the last save; empty when the results were not saved.
    public var savedAs = ""

    /// Creates the state of the first page.
    public init(_ shown: LatencyLabResult) { self.shown = shown }
}

/// The result of a measurement, identified by its number.
public struct LatencyLabResult: Hashable, Sendable {
    /// The number of the measurement.
    public let id: Int
    /// The result.
    public let result: LatencyResult

    /// Creates a numbered result.
    public init(id: Int, _ result: LatencyResult) {
        self.id = id
        self.result = result
    }

    /// Compares the numbers.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A page of the results.
public enum LatencyLabPage: String, CaseIterable, Hashable, Sendable {
    /// The figures of each link.
    case table = "Table"
    /// The distribution of the latencies.
    case distribution = "Distribution"
    /// The share of each stage in the latency.
    case stages = "Stages"
    /// The latencies over time.
    case time = "Time"
    /// The fitness of the links for flying.
    case verdict = "Verdict"
    /// The comparison of all conditions.
    case conditions = "Conditions"
}

/// A prompt of the laboratory.
public typealias LatencyPrompt = Prompt<LatencyPromptKind>

/// What a prompt asks for.
public enum LatencyPromptKind: PromptKind {
    /// A network condition.
    case condition
    /// The duration, seconds.
    case length
    /// The setpoint rate, Hz.
    case rate
    /// The path of the result file.
    case path

    /// The path is completed.
    public var completes: Bool { self == .path }
}
