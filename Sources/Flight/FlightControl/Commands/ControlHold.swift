internal import ReportKit
package import UAVLink

/// Watches control authority that is held, by the control status that the companion sends five times a second.
package struct ControlHold: Sendable {
    /// What happened to it.
    package enum Event: Hashable, Sendable {
        /// Nothing has been received from the companion since then.
        case linkLost(since: MonotonicTime)
        /// The companion is received again, and it still has this ground as the pilot.
        case linkRestored
        /// The companion reports that this ground is not the pilot any more.
        case ended(ControlStatus)
    }

    /// So long without a control status, which comes every 200 ms, is a link loss. A companion that does not receive this ground for as long
    /// ends its control authority.
    package static let linkLossTimeout: Duration = .seconds(1)

    private var lastHeard: MonotonicTime
    private var isLost = false

    /// Control authority that is held now.
    package init(now: MonotonicTime) { lastHeard = now }

    /// What has happened since this was last called; `nil` for nothing new.
    package mutating func event(_ status: Sample<ControlStatus>?, now: MonotonicTime) -> Event? {
        if let status, status.at >= lastHeard {
            lastHeard = status.at
            if !status.value.isYours { return .ended(status.value) }
        }
        guard now - lastHeard > Self.linkLossTimeout else {
            guard isLost else { return nil }
            isLost = false
            return .linkRestored
        }
        guard !isLost else { return nil }
        isLost = true
        return .linkLost(since: lastHeard)
    }

    /// Watches until control authority has ended, or the companion was not received for `limit`.
    ///
    /// - Parameter report: called with each event but the end.
    /// - Returns: the status with which it ended.
    /// - Throws: ``UAVLink/LinkError`` with `notConnected` after `limit` without the companion; `CancellationError`.
    package static func watch(
        _ link: any UAVLink, within limit: Duration, on clock: any MonotonicClock, report: (Event) -> Void
    ) async throws -> ControlStatus {
        var hold = Self(now: clock.now)
        while true {
            switch hold.event(link.latestTelemetry?.control, now: clock.now) {
            case .ended(let status): return status
            case let event?: report(event)
            case nil: break
            }
            let unheard = clock.now - hold.lastHeard
            guard unheard <= max(limit, linkLossTimeout) else {
                throw LinkError(
                    .notConnected,
                    "nothing received from the companion for \(unheard.inSeconds.formatted(decimals: 0)) s;"
                        + " control authority has ended there unless it receives this ground",
                    hint: "'uavlink control' shows who has control authority")
            }
            // The status comes every 200 ms.
            try await clock.sleep(for: .milliseconds(100))
        }
    }
}
