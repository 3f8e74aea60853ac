internal import Synchronization
internal import UAVLink

/// Records a vehicle's telemetry as it arrives, until it is released. It does so on the thread that receives it: with ten vehicles
/// at 50 Hz, waking a task for each message took more time than drawing the screen.
final class TelemetryRecord: Sendable {
    private let link: any UAVLink
    private let clock: any MonotonicClock
    private let past = Mutex(VehicleHistory())
    private let observation = Mutex<Observation?>(nil)

    /// - Parameter onArrival: called for each message that was recorded, on the thread that receives it.
    init(of link: any UAVLink, clock: any MonotonicClock, onArrival: @escaping @Sendable () -> Void) {
        (self.link, self.clock) = (link, clock)
        let observed = link.observeTelemetry { [weak self] telemetry in
            self?.take(telemetry)
            onArrival()
        }
        observation.withLock { $0 = observed }
        // What has arrived before is shown, too; asked for under the lock, so that it is not taken after what is newer.
        let isNew = past.withLock { past in
            guard let telemetry = link.latestTelemetry else { return false }
            past.take(telemetry, link.quality, at: clock.now)
            return true
        }
        if isNew { onArrival() }
    }

    private func take(_ telemetry: Telemetry) {
        past.withLock { $0.take(telemetry, link.quality, at: clock.now) }
    }

    /// The last minute up to now.
    func history() -> VehicleHistory {
        past.withLock { past in
            past.advance(link.quality, to: clock.now)
            return past
        }
    }
}
