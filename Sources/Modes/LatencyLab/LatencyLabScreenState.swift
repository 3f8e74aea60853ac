package import LatencyMeasurement
package import LatencyOutput
package import ModeKit

/// The screen state of the latency laboratory.
package struct LatencyLabScreenState: DialogScreenState, Hashable, Sendable {
    /// The phase of the work.
    package enum Phase: Hashable, Sendable {
        /// Setup: selecting what to measure.
        case choosing
        /// The measurement is running.
        case measuring
        /// Results are displayed.
        case reading
    }

    /// The phase of the work.
    package var phase = Phase.choosing
    package var setup = LatencySetup()
    /// The progress of the running measurement.
    package var progress = LatencyProgress()
    /// The results; `nil` unless the phase is ``Phase/reading``.
    package var results: LatencyResultsState?
    /// The open prompt.
    package var prompt: LatencyPrompt?
    /// The open confirmation.
    package var confirmation: ConfirmationRequest?

    package init() {}
}

/// The lines of the setup.
package struct LatencySetup: Hashable, Sendable {
    /// A line of the setup.
    package struct Line: Hashable, Sendable {
        /// The section, on its first line: `Links`.
        package var section = ""
        /// Whether the line is selected; `nil` for a line with a value.
        package var isChosen: Bool?
        /// The option, or the value.
        package var title: String
        package var detail = ""
        /// Whether the line can be selected.
        package var isPossible = true

        /// A line of the setup.
        package init(
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
    package var lines: [Line] = []
    /// The line with the cursor.
    package var selected = 0
    /// What is measured, its duration, and what the vehicle does.
    package var summary = ""
    /// Why the measurement cannot start, or why it failed; empty for no problem.
    package var problem = ""
    /// Why nothing can be measured on this vehicle, and what to do instead; `nil` when it can be tried.
    package var obstacle: String?
    /// Whether results of an earlier measurement exist.
    package var hasResults = false

    package init() {}
}

/// The progress of the running measurement.
package struct LatencyProgress: Hashable, Sendable {
    /// The current step: `condition 2 of 5: delay=20ms`.
    package var doing = ""
    /// The round and the time: `round 3, 8 of 20 s, about 1 min 12 s left`.
    package var time = ""
    /// The completed fraction, 0 to 1.
    package var fraction = 0.0
    /// The tables of the current condition and of the completed ones, the newest first.
    package var tables: [LatencyTableSection] = []
    /// Warnings: links that were left out.
    package var notes: [String] = []
    /// Whether the measurement is being ended.
    package var isEnding = false
    /// The vehicle's title.
    package var vehicle = ""

    package init() {}
}

/// The results, and which part of them is displayed.
package struct LatencyResultsState: Hashable, Sendable {
    package var shown: LatencyLabResult
    /// The displayed page.
    package var page = LatencyLabPage.table
    /// The index of the displayed condition.
    package var condition = 0
    /// The kind that the charts display.
    package var kind = SeriesKind.steering
    /// The kinds that the charts can display.
    package var kinds: [SeriesKind] = []
    /// The number of lines scrolled off the top.
    package var scroll = 0
    /// The tables of the displayed condition.
    package var table: [LatencyTableSection] = []
    /// The comparison of all conditions for the displayed kind.
    package var comparison: [LatencyTableSection] = []
    /// The path of the last save; empty when the results were not saved.
    package var savedAs = ""
    /// The path of the file that is being written; empty when none is.
    package var writing = ""

    /// Creates the state of the first page.
    package init(_ shown: LatencyLabResult) { self.shown = shown }
}

/// The result of a measurement, identified by its number.
package struct LatencyLabResult: Hashable, Sendable {
    /// The number of the measurement.
    package let id: Int
    package let result: LatencyResult

    package init(id: Int, _ result: LatencyResult) {
        self.id = id
        self.result = result
    }

    /// Compares the numbers.
    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// Hashes the number.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A page of the results.
package enum LatencyLabPage: String, CaseIterable, Hashable, Sendable {
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
package typealias LatencyPrompt = Prompt<LatencyPromptKind>

/// What a prompt asks for.
package enum LatencyPromptKind: PromptKind {
    /// A network condition.
    case condition
    /// The duration, seconds.
    case length
    /// The setpoint rate, Hz.
    case rate
    /// The path of the result file.
    case path

    package var completes: Bool { self == .path }
}
