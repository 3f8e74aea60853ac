import Foundation
import Synchronization
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// A vehicle that records what it gets.
final class RecordingHandler: ChannelHandler {
    struct Record {
        var setpoints: [VelocitySetpoint] = []
        var commands: [Command] = []
        var issues: [CommandIssue] = []
        var deadlines: [MonotonicTime] = []
        /// Setpoints and commands as they came.
        var order: [String] = []
        var opened: [SessionID] = []
        var closed: [SessionID] = []
        var lost: [SessionID] = []
        var restored: [SessionID] = []
        var ticks = 0
    }

    let record = Mutex(Record())
    let verdict: SteeringVerdict
    let vehicleCapabilities: VehicleCapabilities?
    private let gate: DispatchSemaphore?
    private let answersAtOnce: Bool
    private let reply: @Sendable (Command) async -> Result<CommandReply, LinkError>

    init(
        verdict: SteeringVerdict = .applied, vehicleCapabilities: VehicleCapabilities? = nil,
        firstSetpointWaitsFor gate: DispatchSemaphore? = nil,
        answersAtOnce: Bool = false,
        reply: @escaping @Sendable (Command) async -> Result<CommandReply, LinkError> = { command in
            .success(CommandReply(accepted: true, message: "did \(command.name)"))
        }
    ) {
        self.verdict = verdict
        self.vehicleCapabilities = vehicleCapabilities
        self.gate = gate
        self.answersAtOnce = answersAtOnce
        self.reply = reply
        record.withLock { $0.setpoints.reserveCapacity(4096) }
    }

    func steer(_ setpoint: VelocitySetpoint, from session: SessionID, arrivedAt: MonotonicTime) -> SteeringVerdict {
        let isFirst = record.withLock { record in
            record.setpoints.append(setpoint)
            record.order.append("steer \(setpoint.velocityMetresPerSecond.x)")
            return record.setpoints.count == 1
        }
        if isFirst { gate?.wait() }
        return verdict
    }

    func perform(
        _ command: Command, _ issue: CommandIssue, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        record.withLock {
            $0.commands.append(command)
            $0.issues.append(issue)
            $0.deadlines.append(deadline)
            $0.order.append(command.name)
        }
        if answersAtOnce { return answer(.success(CommandReply(accepted: true, message: ""))) }
        Task { answer(await reply(command)) }
    }

    /// The vehicle sends its poses two milliseconds before they are received.
    static let poseDelay: Duration = .milliseconds(2)
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime? { instant - Self.poseDelay }

    private let watching = Mutex<(@Sendable (UInt32, MonotonicTime, Bool) -> Void)?>(nil)
    var isWatched: Bool { watching.withLock { $0 != nil } }
    func watchSetpoints(_ seen: (@Sendable (UInt32, MonotonicTime, Bool) -> Void)?) { watching.withLock { $0 = seen } }
    /// Its messages are numbered from 1001 on.
    var publishedSetpoint: UInt32? { UInt32(1000 + setpoints.count) }
    /// A subscriber has read a message.
    func read(_ sequence: UInt32, at instant: MonotonicTime, isOwn: Bool) {
        watching.withLock { $0 }?(sequence, instant, isOwn)
    }

    /// The map that it offers.
    static let map = Array("VERSION 0.7".utf8) + (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 5) }

    /// Its world file.
    static let world = Array("safety_area: {}\n".utf8)

    func ask(
        _ question: SurveyQuestion, from session: SessionID, until deadline: MonotonicTime,
        answer: @escaping @Sendable (Result<SurveyAnswer, LinkError>) -> Void
    ) {
        switch question {
        case .flightEnvelope: answer(.success(.flightEnvelope(FlightEnvelope(limits: .medium))))
        case .maps:
            answer(.success(.maps([AvailableMap(topic: "/uav1/map/points", frame: .worldOrigin, points: 7)])))
        case .map: answer(.success(.map(Self.map)))
        case .control: answer(.success(.control(CommandReply(accepted: true, message: "yours"))))
        case .world(let known):
            answer(.success(.world(VehicleWorld(path: "/w.yaml", .document(.file, Self.world)).without(known: known))))
        }
    }

    func sessionOpened(_ session: SessionID) { record.withLock { $0.opened.append(session) } }
    func sessionClosed(_ session: SessionID) { record.withLock { $0.closed.append(session) } }
    func sessionLinkLost(_ session: SessionID) { record.withLock { $0.lost.append(session) } }
    func sessionLinkRestored(_ session: SessionID) { record.withLock { $0.restored.append(session) } }
    func tick(now: MonotonicTime) -> MonotonicTime? {
        record.withLock { $0.ticks += 1 }
        return nil
    }

    var setpoints: [VelocitySetpoint] { record.withLock { $0.setpoints } }
    var commands: [Command] { record.withLock { $0.commands } }
}
