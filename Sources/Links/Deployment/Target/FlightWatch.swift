internal import UAVLink
internal import VehicleAccess

/// Reads from telemetry whether the vehicle flies, over a link that stays open in between.
///
/// ```
///   a companion runs:  udp, else tcp, else ssh
///   none runs:         ssh, where the vehicle has ROS's programs
/// ```
actor FlightWatch {
    private let connector: VehicleConnector
    private let clock: any MonotonicClock
    private var link: (any UAVLink)?

    /// How long the first telemetry is waited for: a companion has it, `rostopic echo` takes about 3 s on a busy machine.
    private static func firstTelemetry(over kind: LinkKind) -> Duration { kind == .ssh ? .seconds(6) : .seconds(2.5) }
    private static let look: Duration = .milliseconds(50)

    init(_ connector: VehicleConnector, clock: any MonotonicClock) {
        self.connector = connector
        self.clock = clock
    }

    /// The present condition.
    func condition(hasCompanion: Bool, within timeout: Duration) async -> FlightCondition {
        if link?.quality.isConnected != true {
            await end()
            let kinds: [LinkKind] = hasCompanion ? [.udp, .tcp, .ssh] : [.ssh]
            do {
                link = try await open(kinds, within: timeout)
            } catch {
                return .unknown(error.what)
            }
        }
        guard let link else { return .unknown("no link to it") }
        let deadline = clock.now + min(timeout, Self.firstTelemetry(over: link.kind))
        var condition: FlightCondition?
        while clock.now < deadline {
            let now = clock.now
            if let telemetry = link.latestTelemetry, let found = Self.condition(telemetry, now: now) {
                condition = found
                // Height and speed, which show whether it stands, come on topics of their own.
                if telemetry.radioFlight(now: now) != .possible { break }
            }
            guard (try? await clock.sleep(for: Self.look)) != nil else { break }
        }
        return condition ?? .unknown("no telemetry over \(link.kind.rawValue)")
    }

    /// What telemetry shows now; `nil` if it is older than ``oldestStatus``, or says nothing.
    static func condition(_ telemetry: Telemetry, now: MonotonicTime) -> FlightCondition? {
        guard let flight = telemetry.flight, flight.age(now: now) < oldestStatus, flight.value.state != .unknown else {
            return nil
        }
        return FlightCondition(flight.value, radio: telemetry.radioFlight(now: now))
    }

    /// The link stays open meanwhile: what was received before may be from before a take-off. As for disarming.
    private static let oldestStatus: Duration = .seconds(2)

    /// Closes the link.
    func end() async {
        let old = link
        link = nil
        await old?.close()
    }

    /// The first link that opens; the first one's error if none does.
    private func open(_ kinds: [LinkKind], within timeout: Duration) async throws(LinkError) -> any UAVLink {
        var failure: LinkError?
        for kind in kinds {
            do throws(LinkError) {
                return try await connector.connect(.only(kind), within: timeout)
            } catch {
                if error.code == .cancelled { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? LinkError(.unreachable, "no link was tried")
    }
}
