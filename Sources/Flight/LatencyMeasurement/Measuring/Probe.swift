internal import FlightRecorder
internal import Statistics
internal import UAVLink
internal import VehicleAccess

/// What is done on a link in its turn.
struct Turn: Sendable {
    /// How long setpoints are sent, and their period.
    var steeringFor: Duration
    var steeringPeriod: Duration
    /// How many commands are sent, and their period over links that support that rate.
    var commands: Int
    var commandPeriod: Duration
    /// A blackout, counted from the beginning of steering (or of the command).
    var dark: (from: Duration, length: Duration)?
    /// Whether the turn is a warm-up, which is not counted.
    var isWarmUp = false
    /// Whether this is the first turn of a condition: slow links do some measurements only then.
    var isFirst = false
    /// The round that it belongs to, from 0.
    var round = 0
    /// How much later than at once steering and commands begin: their schedules must not keep step with what the
    /// vehicle does periodically (RFC 3432, section 4: a random start time).
    var phase = Phase()

    /// Delays of the schedules' beginnings.
    struct Phase: Sendable {
        var steering: Duration = .zero
        var commands: Duration = .zero

        init() {}

        /// Uniform within a period of the schedule, or of what it must not keep step with, whichever is longer.
        init(_ turn: Turn, _ random: inout SeededRandom) {
            func within(_ period: Duration) -> Duration { max(period, Self.longestBeat) * random.unit() }
            steering = within(turn.steeringPeriod)
            commands = within(turn.commandPeriod)
        }

        /// The companion's state frames, at 50 Hz, are the slowest of what competes with a sample.
        private static let longestBeat: Duration = .milliseconds(20)
    }
}

/// One link under measurement.
protocol Probe: Actor {
    nonisolated var link: MeasuredLink { get }
    nonisolated var relays: RelaySet { get }
    /// The link to the vehicle, once it is open; `nil` for one without control authority.
    var controlled: (any UAVLink)? { get }

    /// Opens the link.
    func open() async throws(LinkError)
    /// Discards what was measured; a condition begins.
    ///
    /// - Parameter recording: records what is done outside the schedule.
    func begin(at start: MonotonicTime, recording: RunRecording?)
    /// Waits for what must be there when a turn begins: no part of what it costs.
    func prepare(_ turn: Turn) async
    /// Measures for one turn, after ``prepare(_:)``. Ends early when the task is cancelled.
    func take(_ turn: Turn) async
    /// Moves the vehicle for a moment; returns the pose to return to, `nil` when it was not moved.
    func push() async -> Pose?
    /// Flies the vehicle back to where it was before the push.
    func goBack(to home: Pose) async
    /// The measurements since the condition began, as far as they are known yet.
    func soFar() async -> LinkRun
    /// The final measurements since the condition began.
    func finish() async -> LinkRun
    /// The recording's notes of the condition; called once it is over.
    func recorded(in recording: RunRecording) async -> [RecordingEntry]
    /// Processor time until now of what works for the link on the vehicle, nanoseconds; not in its turn.
    func vehicleTime() async -> LinkCost.Known<Int64>
    /// The same, and how often it has waited.
    func vehicleUse() async -> (time: LinkCost.Known<Int64>, waits: LinkCost.Known<ThreadWaits>)
    /// What has gone over the link's own sockets until now, and the number of their connection; `nil` if the link does not count.
    func ownTraffic() async -> (connection: Int, traffic: LinkCost.Traffic)?
    /// Closes the link.
    func close() async
}

extension Probe {
    var controlled: (any UAVLink)? { nil }

    func prepare(_ turn: Turn) async {}

    func vehicleTime() async -> LinkCost.Known<Int64> { .unknown("not measured over this link") }

    func vehicleUse() async -> (time: LinkCost.Known<Int64>, waits: LinkCost.Known<ThreadWaits>) {
        (await vehicleTime(), .unknown("counted of the companion only"))
    }

    func ownTraffic() async -> (connection: Int, traffic: LinkCost.Traffic)? { nil }

    /// The figures so far; computed here, so that no other actor waits for it.
    func figures(upTo limit: Int64) async -> [RunningFigures] { RunningFigures.all(await soFar(), upTo: limit) }

    /// Waits even if the task is cancelled: what is in transit still counts.
    static func waitEvenIfCancelled(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }

    /// Blacks out the relays for a while, concurrently.
    nonisolated func startBlackout(_ dark: (from: Duration, length: Duration)?) -> Task<Void, Never>? {
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

/// The configuration of a probe.
struct ProbeSetting: Sendable {
    var access: LaboratoryAccess
    var address: String
    var seed: UInt64
    var timeout: Duration
    var command: Command
    var clock: any MonotonicClock
    var reference: ReferenceClock
    /// Where the rosbridge server is, if one is measured.
    var rosbridge: ROSBridgeAddress?
    /// The limits for a vehicle that is moved; shared by all links and conditions.
    var box = MotionBounds()
    /// How the condition is made. Without one nothing stands in front of the link: a relay would split a stream in two, and buffer
    /// what the link drops.
    var emulation = Emulation.relays

    /// The machine behind the companion; `nil` for a vehicle that is none.
    var machine: ImpairedMachine?
    /// Whether relays cannot make the condition of any link.
    var takesPackets = false

    /// What impairs a link.
    func makeRelays() -> RelaySet { RelaySet(seed: seed, losesPackets: emulation == .packets) }

    /// What a link is reached through; `nil`: nothing.
    func path(_ relays: RelaySet) -> RelaySet? { emulation == .none ? nil : relays }
}
