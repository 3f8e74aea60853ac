@testable import FlightRecorder
import IntegrationKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A machine that is driven by text has neither commands nor setpoints: what it is sent stands in the recording as events.
@Suite struct RecordedRobotTests {
    private let clock = FakeClock()

    @Test func `what a robot is sent is recorded, from the beginning of the recording to its end`() async throws {
        let folder = try TemporaryFolder()
        let robot = Robot()
        robot.add(.sent, "w", at: clock.now)
        let recording = RecordingLink(robot, recorder: nil, clock: clock)
        try await recording.connect(within: .seconds(1))
        let recorder = try FlightRecorder(
            path: folder.file("r.bag"), vehicle: "rover", clock: clock,
            wall: WallClock(offsetNanoseconds: 1_700_000_000_000_000_000))
        recording.begin(recorder)
        for (kind, text) in [
            (RobotLogLine.Kind.sent, "f"), (.received, "battery 87 %"), (.sent, "s"), (.status, "lost"),
        ] {
            clock.advance(by: .milliseconds(100))
            robot.add(kind, text, at: clock.now)
        }
        await recording.end()
        robot.add(.sent, "b", at: clock.now)
        let outcome = try await clock.run(through: { await recorder.finish() })
        #expect(outcome.failure == nil)
        let log = try await FlightLogFile.read(folder.file("r.bag"))
        let events = log.events.filter { $0.kind == "robot" }
        #expect(events.map(\.text) == ["sent f", "sent s", "lost"])
        #expect(zip(events, events.dropFirst()).map { $1.at - $0.at } == [200_000_000, 100_000_000])
        #expect(FlightReview(log, path: "r.bag").text.contains("robot: sent f"))
    }
}

/// A robot with a log and nothing else.
private final class Robot: RobotLink {
    private let lines = Mutex<[RobotLogLine]>([])
    private let changes = Broadcast<Int>()

    func add(_ kind: RobotLogLine.Kind, _ text: String, at: MonotonicTime) {
        let count = lines.withLock { lines in
            lines.append(RobotLogLine(number: UInt64(lines.count + 1), at: at, kind: kind, bytes: Array(text.utf8)))
            return lines.count
        }
        changes.send(count)
    }

    func log(after number: UInt64) -> [RobotLogLine] { lines.withLock { $0.filter { $0.number > number } } }
    func observeRobot(_ body: @escaping @Sendable () -> Void) -> Observation { changes.observe { _ in body() } }
    var program: RobotProgram { RobotProgram() }
    var robot: RobotState { RobotState() }
    var radio: (any RobotRadio)? { nil }
    func hold(_ direction: RobotDirection, speed: Int) throws(LinkError) -> Bool { true }
    func release() {}
    func stop() throws(LinkError) {}
    func send(speed: Int) throws(LinkError) {}
    func start(_ task: RobotTask) throws(LinkError) {}
    func send(_ bytes: [UInt8]) throws(LinkError) {}

    var kind: LinkKind { .direct }
    var capabilities: LinkCapabilities { LinkCapabilities(robot: self) }
    var vehicleCapabilities: VehicleCapabilities {
        VehicleCapabilities(machine: "robot", commands: .hover, steering: nil, telemetry: .messages)
    }
    func connect(within timeout: Duration) async throws(LinkError) {}
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply {
        CommandReply(accepted: true, message: "")
    }
    func steer(_ setpoint: VelocitySetpoint) throws(LinkError) -> SteeringReceipt {
        throw LinkError(.unsupported, "not steered")
    }
    func telemetry() -> AsyncStream<Telemetry> { AsyncStream { $0.finish() } }
    func observeTelemetry(_ body: @escaping @Sendable (Telemetry) -> Void) -> Observation { Observation {} }
    var latestTelemetry: Telemetry? { nil }
    var quality: LinkQuality { LinkQuality(isConnected: true) }
    func close() async {}
}
