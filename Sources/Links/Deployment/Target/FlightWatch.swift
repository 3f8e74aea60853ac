internal import UAVLink

/// Reads from telemetry whether the vehicle flies, over a link that stays open in between, unless a companion was started or has ended.
///
/// ```
///   a companion runs:  udp, else tcp, else ssh
///   none runs:         ssh, where the vehicle has ROS's programs
/// ```
actor FlightWatch {
    /// Opens a link of this kind.
    typealias Opener =
        @Sendable (_ kind: LinkKind, _ timeout: Duration) async throws(LinkError) -> any UAVLink

    private let openLink: Opener
    private let clock: any MonotonicClock
    private var link: (any UAVLink)?
    /// Whether a companion ran when the link was opened.
    private var isForCompanion = false

    /// How long the first telemetry is waited for: a companion has it, `rostopic echo` takes about 3 s on a busy machine.
    private static func firstTelemetry(over kind: LinkKind) -> Duration {
        kind.runsPrograms ? .seconds(6) : .seconds(2.5)
    }
    private static let look: Duration = .milliseconds(50)

    init(clock: any MonotonicClock, openLink: @escaping Opener) {
        self.openLink = openLink
        self.clock = clock
    }

    /// The present condition, by telemetry that is fresh: a link that has lost the vehicle keeps what it received last.
    func condition(hasCompanion: Bool, within timeout: Duration) async -> FlightCondition {
        // A companion that was started since is asked; one that has ended would be started again by its link.
        if link?.quality.isConnected != true || isForCompanion != hasCompanion {
            await end()
            isForCompanion = hasCompanion
            let kinds: [LinkKind] = hasCompanion ? [.udp, .tcp, .ssh] : [.ssh]
            do {
                link = try await open(kinds, within: timeout)
            } catch {
                return .unknown(error.what)
            }
        }
        guard let link else { return .unknown("no link to it") }
        let deadline = clock.now + min(timeout, Self.firstTelemetry(over: link.kind))
        while true {
            let now = clock.now
            let condition =
                link.latestTelemetry.map { FlightCondition($0, now: now) }
                ?? .unknown("no telemetry over \(link.kind.rawValue)")
            guard condition.isUncertain, now < deadline, (try? await clock.sleep(for: Self.look)) != nil else {
                return condition
            }
        }
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
                return try await openLink(kind, timeout)
            } catch {
                if error.code == .cancelled { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? LinkError(.unreachable, "no link was tried")
    }
}
