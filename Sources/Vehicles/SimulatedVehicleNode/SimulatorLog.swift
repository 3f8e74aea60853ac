internal import MRSMessages
internal import ROS1
internal import ROSMessages
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
    private let node: ROSNode
    private let rosout: ROSPublisher<RosgraphMsgs.Log>

    init(_ node: ROSNode, write: @escaping @Sendable (String) -> Void) throws(ROSError) {
        self.node = node
        self.write = write
        rosout = try node.advertise("/rosout", latching: true)
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
        var message = RosgraphMsgs.Log()
        message.header.stamp = node.time.now
        message.level =
            switch severity {
            case .information: RosgraphMsgs.Log.info
            case .warning: RosgraphMsgs.Log.warn
            case .error: RosgraphMsgs.Log.error
            }
        message.name = node.name
        message.msg = text
        rosout.publish(message)
    }
}
