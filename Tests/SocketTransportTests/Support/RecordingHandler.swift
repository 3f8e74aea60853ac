import Synchronization
import UAVLink

@testable import SocketTransport

/// A vehicle that writes down what it is told.
final class RecordingHandler: ChannelHandler {
    struct Record {
        var setpoints: [VelocitySetpoint] = []
        var commands: [Command] = []
        var opened: [SessionID] = []
        var closed: [SessionID] = []
        var silent: [SessionID] = []
        var returned: [SessionID] = []
        var ticks = 0
    }

    let record = Mutex(Record())
    let verdict: SteeringVerdict
    private let reply: @Sendable (Command) async -> Result<CommandReply, LinkError>

    init(
        verdict: SteeringVerdict = .applied,
        reply: @escaping @Sendable (Command) async -> Result<CommandReply, LinkError> = { command in
            .success(CommandReply(accepted: true, message: "did \(command.name)"))
        }
    ) {
        self.verdict = verdict
        self.reply = reply
        record.withLock { $0.setpoints.reserveCapacity(4096) }
    }

    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict {
        record.withLock { $0.setpoints.append(setpoint) }
        return verdict
    }

    func perform(_ command: Command, from session: SessionID) async -> Result<CommandReply, LinkError> {
        record.withLock { $0.commands.append(command) }
        return await reply(command)
    }

    func sessionOpened(_ session: SessionID) { record.withLock { $0.opened.append(session) } }
    func sessionClosed(_ session: SessionID) { record.withLock { $0.closed.append(session) } }
    func sessionSilent(_ session: SessionID) { record.withLock { $0.silent.append(session) } }
    func sessionReturned(_ session: SessionID) { record.withLock { $0.returned.append(session) } }
    func tick(now: MonotonicTime) -> MonotonicTime? {
        record.withLock { $0.ticks += 1 }
        return nil
    }

    var setpoints: [VelocitySetpoint] { record.withLock { $0.setpoints } }
    var commands: [Command] { record.withLock { $0.commands } }
}
