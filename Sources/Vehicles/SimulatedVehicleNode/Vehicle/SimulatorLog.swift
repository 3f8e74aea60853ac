internal import Synchronization
internal import UAVLink

/// Logs for users and on `/rosout`; rate limited, so that a benchmark's thousand calls neither flood a log nor wait for
/// it.
final class SimulatorLog: Sendable {
    private struct State {
        var second: Int64 = 0
        var lines = 0
        var swallowed = 0
    }

    /// Lines per second: more than a user's own commands produce.
    private static let most = 20

    private let state = Mutex(State())
    private let clock = SystemMonotonicClock()
    private let write: @Sendable (String) -> Void
    private let middleware: any VehicleMiddleware

    init(_ middleware: any VehicleMiddleware, write: @escaping @Sendable (String) -> Void) {
        self.middleware = middleware
        self.write = write
    }

    /// Logs a line.
    func say(_ severity: VehicleMessage.Severity, _ text: String) {
        let second = clock.now.nanoseconds / 1_000_000_000
        let (isSaid, before) = state.withLock { state -> (Bool, Int) in
            var before = 0
            if second != state.second {
                before = state.swallowed
                state = State(second: second)
            }
            state.lines += 1
            guard state.lines <= Self.most else {
                state.swallowed += 1
                return (false, before)
            }
            return (true, before)
        }
        if before > 0 { write("(\(before) lines dropped)") }
        guard isSaid else { return }
        write(text.sanitizedLine)
        middleware.log(severity, text)
    }
}
