internal import Synchronization
internal import UAVLink

/// The progress of an upload: how much, how long, and how fast; told at most ten times a second.
final class UploadMeter: Sendable {
    private struct State {
        var confirmed = 0
        var told: MonotonicTime?
    }

    private static let interval: Duration = .milliseconds(100)

    private let total: Int
    private let clock: any MonotonicClock
    private let tell: @Sendable (DeploymentEvent) -> Void
    private let began: MonotonicTime
    private let state = Mutex(State())

    init(total: Int, clock: any MonotonicClock, tell: @escaping @Sendable (DeploymentEvent) -> Void) {
        self.total = total
        self.clock = clock
        self.tell = tell
        began = clock.now
    }

    /// The bytes that the vehicle has confirmed.
    var confirmed: Int { state.withLock { $0.confirmed } }

    /// The time since the upload began.
    var duration: Duration { clock.now - began }

    /// Takes the number of bytes that are confirmed by now.
    func confirm(_ bytes: Int) {
        let now = clock.now
        let isDue = state.withLock { state in
            state.confirmed = max(state.confirmed, bytes)
            if let told = state.told, now - told < Self.interval, bytes < total { return false }
            state.told = now
            return true
        }
        guard isDue else { return }
        let seconds = max((now - began).inSeconds, 1e-3)
        tell(.uploaded(bytes, of: total, bytesPerSecond: Double(bytes) / seconds))
    }
}
