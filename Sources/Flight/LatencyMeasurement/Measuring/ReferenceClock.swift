#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import FlightRecorder
internal import SocketTransport
internal import UAVLink
internal import VehicleAccess

/// A session with the companion past all relays: it tells how the clocks stand better than a link that is made bad on purpose
/// can, and has the companion watch what links past it send to the vehicle.
actor ReferenceClock {
    private var link: SocketLink?
    private var listening: RecordingLink?
    private var seen: [UInt32: MonotonicTime] = [:]
    private var vehicleWallMinusClock: Int64?
    /// Why there is none.
    private(set) var failure: LinkError?

    /// Far more than a run of ten minutes at 100 Hz has.
    private static let mostSeen = 200_000

    /// - Parameter recorder: has the telemetry of this session recorded.
    func open(
        _ access: LaboratoryAccess, at address: String, within timeout: Duration, recorder: FlightRecorder? = nil
    ) async {
        do throws(LinkError) {
            let ticket = try await access.ticket(within: timeout)
            let link = try access.channel(ticket.udpPort == 0 ? .tcp : .udp, through: nil, at: address)
            link.startTracing()
            try await link.connect(within: timeout)
            self.link = link
            guard let recorder else { return }
            listening = RecordingLink(link, recorder: recorder, name: link.kind.rawValue)
            listening?.listen()
        } catch { failure = error }
    }

    /// The companion watches from now on, or no more.
    func watch(_ watches: Bool) { link?.startTracing(watchesSetpoints: watches) }

    /// The companion's clock minus ours, and how far from the truth that can be; nanoseconds.
    var estimate: (offsetNanoseconds: Int64, boundNanoseconds: Int64)? { link?.clockOffset() }

    /// The better of this one's and a link's own.
    func better(than own: (offsetNanoseconds: Int64, boundNanoseconds: Int64)?) -> (
        offsetNanoseconds: Int64, boundNanoseconds: Int64
    )? {
        guard let mine = estimate else { return own }
        guard let own, own.boundNanoseconds < mine.boundNanoseconds else { return mine }
        return own
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
            for case .seen(let record) in part.records where seen.count < Self.mostSeen {
                // The first counts: another is a subscriber's that was connected twice.
                if seen[record.sequence] == nil { seen[record.sequence] = record.at }
            }
        }
    }

    /// What is to be added to a stamp of the vehicle's wall clock, told on our monotonic clock by our own wall clock.
    var stampCorrectionNanoseconds: Int64? {
        gather()
        guard let vehicleWallMinusClock, let estimate else { return nil }
        return Self.wallMinusClock &- vehicleWallMinusClock &- estimate.offsetNanoseconds
    }

    private static var wallMinusClock: Int64 {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec) - SystemMonotonicClock().now.nanoseconds
    }

    func close() async {
        await link?.close()
        (link, listening) = (nil, nil)
    }
}
