internal import ChannelProtocol
internal import FlightControl
internal import FlightRecorder
internal import LatencyStatistics
internal import SocketTransport
internal import SystemKit
internal import UAVLink
internal import VehicleAccess

/// A session with the companion that bypasses all relays: it measures the clock offset better than an impaired link can, and
/// lets the companion observe what other links send to the vehicle.
actor ReferenceClock {
    private var link: SocketLink?
    private var listening: RecordingLink?
    private var seen: [UInt32: MonotonicTime] = [:]
    private var vehicleWallMinusClock: Int64?
    private var exchanges: [ChannelTrace.Exchange] = []
    /// Why the session could not be opened.
    private(set) var failure: LinkError?
    /// Why the measurement ended, as a clause: what the vehicle began to do, or another ground.
    private(set) var ending: String?
    /// What other grounds do.
    nonisolated let others = StopsOfOthers()

    /// Bound of observed references kept; ten minutes at 100 Hz are 60,000.
    private static let maximumSeen = 200_000
    /// Bound of exchanges kept; five hours at 10 Hz.
    private static let maximumExchanges = 200_000

    /// - Parameter recorder: records the telemetry of this session.
    func open(
        _ access: LaboratoryAccess, at address: String, within timeout: Duration, recorder: FlightRecorder? = nil
    ) async {
        do throws(LinkError) {
            let ticket = try await access.ticket(within: timeout)
            let link = try access.channel(ticket.udpPort == 0 ? .tcp : .udp, through: nil, at: address)
            link.startTracing()
            try await link.connect(within: timeout)
            self.link = link
            try? await link.awaitStopCount(on: SystemMonotonicClock())
            others.watch(link)
            guard let recorder else { return }
            listening = RecordingLink(link, recorder: recorder, name: link.kind.rawValue)
            listening?.listen()
        } catch { failure = error }
    }

    /// The companion's version, also of one that does not tell it; `nil` without a session.
    var companionVersion: String? {
        link?.quality.companionVersion.map { $0.isEmpty ? "older than this program" : $0.sanitizedLine }
    }

    /// Whether the companion says that its vehicle is simulated.
    var isSimulated: Bool { link?.vehicleCapabilities.isSimulated ?? false }

    /// What the vehicle does that a hover command must not meet; `nil` if that is not known.
    var manoeuvre: Manoeuvre? { link?.latestTelemetry?.manoeuvre }

    /// Whether the measurement may go on: its commands stop the vehicle. Once it may not, it may not again.
    func mayGoOn() -> Bool {
        ending = ending ?? manoeuvre?.endingReason ?? others.ending()
        return ending == nil
    }

    /// Starts or stops the companion's observation.
    func watch(_ watches: Bool) { link?.startTracing(watchesSetpoints: watches) }

    /// The companion's clock over the whole run; `nil` if there was no exchange.
    var track: ClockTrack? {
        gather()
        return ClockTrack(exchanges)
    }

    /// Every exchange of timestamps until now, their instants counted from the beginning of the run.
    func exchanges(since began: MonotonicTime) -> [ClockExchangeSample] {
        gather()
        return exchanges.map { ClockExchangeSample($0, since: began) }
    }

    /// When velocity references of other nodes were seen on the vehicle, by their `seq`, on the companion's clock.
    func takeSeen() -> [UInt32: MonotonicTime] {
        gather()
        defer { seen = [:] }
        return seen
    }

    private func gather() {
        for part in link?.takeTrace() ?? [] {
            vehicleWallMinusClock = part.wallMinusClock ?? vehicleWallMinusClock
            exchanges += part.exchanges.prefix(max(0, Self.maximumExchanges - exchanges.count))
            for case .seen(let record) in part.records where seen.count < Self.maximumSeen {
                // The first counts: a repeated one comes from a subscriber that was connected twice.
                if seen[record.sequence] == nil { seen[record.sequence] = record.at }
            }
        }
    }

    /// The clock by which the vehicle's messages are stamped, as the companion knows it.
    var stampClock: StampClock? { link?.latestTelemetry?.stampClock }

    /// Warnings about what the vehicle sends, for the report.
    func telemetryNotes(_ profile: VehicleProfile) -> [String] {
        var notes: [String] = []
        if let obstacle = StampObstacle(stampClock), obstacle != .simulatedTime {
            notes.append("the clocks of the vehicle differ: \(obstacle.reason)")
        }
        let rates = TopicRateReport(link?.latestTelemetry?.topicRates?.value ?? [], profile: profile.rates)
        return notes + rates.faults.map { "a topic of the vehicle: \(TopicRateReport.text($0))" }
    }

    /// What to add to a timestamp of the vehicle's wall clock, read as one of ours, so that it is on our monotonic clock.
    var stampClockTrack: StampTrack? {
        gather()
        guard let vehicleWallMinusClock, let track else { return nil }
        return StampTrack(track: track, wallsApart: Self.wallMinusClock &- vehicleWallMinusClock)
    }

    private static var wallMinusClock: Int64 {
        WallTime.now - SystemMonotonicClock().now.nanoseconds
    }

    func close() async {
        others.unwatch()
        await link?.close()
        (link, listening) = (nil, nil)
    }
}
