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
        while clock.now < deadline {
            if let flight = link.latestTelemetry?.flight?.value, flight.state != .unknown {
                return FlightCondition(flight)
            }
            guard (try? await clock.sleep(for: Self.look)) != nil else { break }
        }
        return .unknown("no telemetry over \(link.kind.rawValue)")
    }

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
