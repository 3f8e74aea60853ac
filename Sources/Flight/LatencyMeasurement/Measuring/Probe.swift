internal import FlightRecorder
internal import UAVLink
internal import VehicleAccess

/// What is done on a link when it is its turn.
struct Turn: Sendable {
    /// How long setpoints are sent, and how many a second.
    var steeringFor: Duration
    var steeringPeriod: Duration
    /// Commands, and how many a second over links that take so many.
    var commands: Int
    var commandPeriod: Duration
    /// A time in which nothing gets through, counted from the beginning of steering (or of the command).
    var dark: (from: Duration, length: Duration)?
    /// Whether what is measured counts.
    var isWarmUp = false
    /// The first turn of a condition: links that take long for something do it only then.
    var isFirst = false
}

/// One link that is measured.
protocol Probe: Actor {
    nonisolated var link: LaboratoryLink { get }
    nonisolated var relays: RelaySet { get }

    /// Opens the link.
    func open() async throws(LinkError)
    /// Forgets what was measured; a condition begins.
    ///
    /// - Parameter recording: where what is done beside the schedule is recorded.
    func begin(at start: MonotonicTime, recording: RunRecording?)
    /// Measures for one turn. Ends early when the task is cancelled.
    func take(_ turn: Turn) async
    /// Moves the vehicle for a moment; returns where it is to go back to, `nil` when it was not moved.
    func push() async -> Pose?
    /// Flies the vehicle back to where it was before a push.
    func goBack(to home: Pose) async
    /// What was measured since the condition began, as far as it is known by now.
    func soFar() async -> LinkRun
    /// What was measured since the condition began.
    func finish() async -> LinkRun
    /// What a recording is to hold of what was measured since the condition began; asked for once it is over.
    func recorded(in recording: RunRecording) async -> [FlightNote]
    /// Ends the link.
    func close() async
}

extension Probe {
    /// What it has come to; worked out here, so that nobody else waits for it.
    func figures(upTo limit: Int64) async -> [RunningFigures] { RunningFigures.all(await soFar(), upTo: limit) }

    /// Waits, in a task that is cancelled too: what is on its way still counts.
    static func waitInAnyCase(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }

    /// Darkens the relays for a while, beside what else is done.
    nonisolated func darken(_ dark: (from: Duration, length: Duration)?) -> Task<Void, Never>? {
        guard let dark else { return nil }
        let relays = relays
        return Task {
            try? await Task.sleep(for: dark.from)
            relays.setDark(true)
            try? await Task.sleep(for: dark.length)
            relays.setDark(false)
        }
    }
}

/// Where and what to measure.
struct ProbeSetting: Sendable {
    var access: LaboratoryAccess
    var address: String
    var seed: UInt64
    var timeout: Duration
    var command: Command
    var clock: any MonotonicClock
    var reference: ReferenceClock
    /// Where the vehicle stays while it is moved; the same for all links and conditions.
    var box = MotionBox()
}
