@testable import FlightRecorder
import Testing
import UAVLink
import UAVTestKit

/// Time that goes as fast as one waits.
private struct JumpingTimeSource: TimeSource {
    let fake: FakeClock
    var clock: any MonotonicClock { fake }

    func pause(_ duration: Duration) async -> Bool {
        fake.advance(by: duration)
        return !Task.isCancelled
    }
}

@Suite("A recording given to another vehicle") struct FlightReplayTests {
    private let fake = FakeClock()

    private func connected() async throws -> FakeLink {
        let link = FakeLink(clock: fake)
        try await link.connect(within: .seconds(5))
        return link
    }

    private func replay(_ notes: [RecordingEntry], over link: FakeLink) async throws -> FlightReplay.Report {
        let replay = FlightReplay(link: link, timeSource: JumpingTimeSource(fake: fake), timeout: .seconds(5))
        return await replay.run(try BagOfNotes.log(notes))
    }

    @Test func `commands and setpoints come in their order and at their intervals`() async throws {
        let link = try await connected()
        // A vehicle that is not armed would be given the take-off again.
        link.script(.reply(CommandReply(accepted: true, message: "")))
        let push = Vector3(x: 1, y: 0, z: 0)
        let report = try await replay(
            [
                BagOfNotes.setpoint(2, at: 1250, push), BagOfNotes.command(.takeoff, at: 1000),
                BagOfNotes.setpoint(1, at: 1200, push), BagOfNotes.command(.hover, at: 2000),
            ], over: link)
        #expect(link.commands == [.takeoff, .hover])
        #expect(report.steps.map(\.name) == ["takeoff", "hover"])
        #expect(report.steps.map(\.atSeconds) == [0, 1])
        #expect(report.setpoints == 2 && report.refusedSetpoints == 0 && report.unreadable == 0)
        let given = link.setpoints
        #expect(given.map(\.velocityMetresPerSecond) == [push, push])
        #expect(
            given.map(\.frame) == [.body, .body]
                && given.map(\.validFor) == Array(repeating: .milliseconds(300), count: 2))
        #expect(given.map(\.headingRateRadiansPerSecond) == [0.25, 0.25])
        let meant = given.map(\.intendedAt)
        #expect(meant.last.map { last in meant.first.map { last - $0 } } == .milliseconds(50))
        await link.close()
    }

    /// A vehicle in flight, 4 m up.
    private static var flying: Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
            at: BagOfNotes.at(0))
        telemetry.tracker = Sample(
            TrackerStatus(tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true, hasGoal: false),
            at: BagOfNotes.at(0))
        telemetry.pose = Sample(
            Pose(frame: .current, positionMetres: Vector3(x: 7, y: 8, z: 4), headingRadians: 0), at: BagOfNotes.at(0))
        return telemetry
    }

    @Test func `where the recording begins in flight, a vehicle on the ground takes off first`() async throws {
        let link = FakeLink(clock: fake, speed: 50)
        try await link.connect(within: .seconds(5))
        let notes = [RecordingEntry.telemetry(Self.flying, at: BagOfNotes.at(0)), BagOfNotes.command(.hover, at: 100)]
        let report = try await fake.run(through: { try await replay(notes, over: link) })
        #expect(report.tookOffFirst)
        let lead: [Command] = [
            .arm(true), .enableOutput(true), .offboard, .takeoff,
            .goTo(.init(.frame(.current), position: Vector3(x: 7, y: 8, z: 4), headingRadians: 0)),
        ]
        #expect(link.commands == lead + [.hover])
        // One that flies already is left where it is.
        let again = try await fake.run(through: { try await replay(notes, over: link) })
        #expect(!again.tookOffFirst && link.commands.count == lead.count + 2)
        await link.close()
    }

    private static let trajectory = Trajectory(
        frame: .worldOrigin,
        points: (0..<50).map { .init(position: Vector3(x: Double($0) * 0.1, y: 1, z: 2), headingRadians: 0.5) },
        timeStepSeconds: 0.1)

    /// `uavlink --record FILE trajectory start PLAN` records one command, and the plan that it was given.
    @Test(arguments: [-1, 20]) func `a trajectory that the recorded vehicle held is sent before it is started`(
        recordedAfter milliseconds: Int64
    ) async throws {
        let link = try await connected()
        link.always(.reply(CommandReply(accepted: true, message: "")))
        let report = try await replay(
            [
                .plan(Self.trajectory, at: BagOfNotes.at(100 + milliseconds)),
                BagOfNotes.command(.startTrajectory, at: 100), BagOfNotes.command(.resumeTrajectory, at: 200),
            ], over: link)
        #expect(link.commands == [.uploadTrajectory(Self.trajectory), .startTrajectory, .resumeTrajectory])
        #expect(report.sentTrajectoryFirst && report.trajectoryProblem == nil)
        #expect(report.steps.map(\.agrees) == [true, true])
        await link.close()
    }

    @Test func `one that a recorded command sent is sent once, and none where the vehicle had none`() async throws {
        let link = try await connected()
        link.always(.reply(CommandReply(accepted: true, message: "")))
        var report = try await replay(
            [
                BagOfNotes.command(.uploadTrajectory(Self.trajectory), at: 0),
                BagOfNotes.command(.startTrajectory, at: 100),
            ], over: link)
        #expect(link.commands == [.uploadTrajectory(Self.trajectory), .startTrajectory])
        #expect(!report.sentTrajectoryFirst)
        let refused = Result<CommandReply, LinkError>.success(CommandReply(accepted: false, message: "not set"))
        report = try await replay(
            [
                .plan(Self.trajectory, at: BagOfNotes.at(0)), BagOfNotes.command(.startTrajectory, at: 100, refused),
            ], over: link)
        #expect(link.commands.count == 3 && !report.sentTrajectoryFirst)
        await link.close()
    }

    @Test func `another answer than the recorded one is reported`() async throws {
        let link = try await connected()
        link.script(
            .reply(CommandReply(accepted: false, message: "no")), .fail(LinkError(.timedOut, "silence")),
            .reply(CommandReply(accepted: false, message: "still no")))
        let refused = Result<CommandReply, LinkError>.success(CommandReply(accepted: false, message: "not armed"))
        let report = try await replay(
            [
                BagOfNotes.command(.takeoff, at: 0), BagOfNotes.command(.hover, at: 10),
                BagOfNotes.command(.takeoff, at: 20, refused),
            ], over: link)
        #expect(report.steps.map(\.agrees) == [false, false, true])
        await link.close()
    }

    @Test func `a step of a take-off that comes too early for this vehicle is given again, for three seconds`()
        async throws
    {
        let link = try await connected()
        let early = CommandReply(accepted: false, message: "missing control input")
        link.script(.reply(early), .reply(early), .reply(CommandReply(accepted: true, message: "")))
        link.always(.reply(CommandReply(accepted: false, message: "can not takeoff, UAV not in offboard mode!")))
        let report = try await replay(
            [BagOfNotes.command(.offboard, at: 0), BagOfNotes.command(.takeoff, at: 600)], over: link)
        #expect(link.commands.count { $0 == .offboard } == 3)
        #expect(link.commands.count { $0 == .takeoff } == 31)
        #expect(report.steps.map(\.agrees) == [true, false])
        await link.close()
    }

    @Test func `a refused step that was given again is replayed once`() async throws {
        let link = try await connected()
        link.always(.reply(CommandReply(accepted: true, message: "")))
        let refused = Result<CommandReply, LinkError>.success(
            CommandReply(accepted: false, message: "missing control input"))
        let report = try await replay(
            [
                BagOfNotes.command(.offboard, at: 0, refused), BagOfNotes.command(.offboard, at: 500),
                BagOfNotes.command(.takeoff, at: 600),
            ], over: link)
        #expect(link.commands == [.offboard, .takeoff])
        #expect(report.steps.map(\.agrees) == [true, true])
        await link.close()
    }

    @Test func `what was not sent is not sent again, and what is no command is counted`() async throws {
        let link = try await connected()
        let odd = Command.altitude(metres: .nan)
        let report = try await replay(
            [
                BagOfNotes.setpoint(1, at: 0, error: "not connected"), BagOfNotes.command(odd, at: 10),
                BagOfNotes.setpoint(2, at: 20),
            ], over: link)
        #expect(report.unreadable == 1 && report.setpoints == 1)
        #expect(link.setpoints.count == 1 && link.commands.isEmpty)
        await link.close()
    }

    @Test func `setpoints that the link refuses are counted`() async throws {
        let link = try await connected()
        await link.close()
        let report = try await replay([BagOfNotes.setpoint(1, at: 0), BagOfNotes.setpoint(2, at: 20)], over: link)
        #expect(report.setpoints == 2 && report.refusedSetpoints == 2)
    }

    @Test func `ways are compared from where each vehicle was at first`() async throws {
        let link = try await connected()
        let report = try await replay(
            [
                BagOfNotes.pose(Vector3(x: 10, y: 5, z: 0), at: 0), BagOfNotes.command(.hover, at: 100),
                BagOfNotes.pose(Vector3(x: 10, y: 5, z: 2), at: 200),
                BagOfNotes.pose(Vector3(x: 13, y: 9, z: 0), at: 300),
            ], over: link)
        let recorded = FlightReplay.Way(start: Vector3(x: 10, y: 5, z: 0), end: Vector3(x: 13, y: 9, z: 0))
        #expect(report.recorded == recorded)
        // The other one stands on the ground.
        let difference = try #require(report.displacementDifferenceMetres)
        #expect(abs(difference - 5) < 0.01)
        #expect(
            report.differenceWords == "the vehicle started 11.18 m from the recorded place: the end positions "
                + "differ by 15.81 m, the displacements from start to end by 5.00 m")
        await link.close()
    }

    @Test func `from the recorded place, the ends are compared`() {
        var report = FlightReplay.Report()
        #expect(report.differenceWords == nil)
        let start = Vector3(x: 20, y: 15, z: 0)
        report.recorded = FlightReplay.Way(start: start, end: Vector3(x: 5, y: 0, z: 3))
        report.replayed = FlightReplay.Way(
            start: start + Vector3(x: 0.3, y: 0, z: 0), end: Vector3(x: 5, y: 0.4, z: 3.3))
        #expect(report.differenceWords == "the end positions differ by 0.50 m")
    }

    @Test func `a replay starts where the recorded vehicle was before the first command`() throws {
        let place = Vector3(x: 20, y: 15, z: 0.1)
        let notes = [
            BagOfNotes.pose(.zero, at: 0), BagOfNotes.pose(place, heading: 1.5, at: 90),
            BagOfNotes.command(.takeoff, at: 100), BagOfNotes.pose(Vector3(x: 5, y: 0, z: 3), at: 200),
            BagOfNotes.setpoint(1, at: 300),
        ]
        let start = try #require(try BagOfNotes.log(notes).start)
        #expect(start.positionMetres == place && abs(start.headingRadians - 1.5) < 1e-9)
        #expect(try BagOfNotes.log([BagOfNotes.command(.takeoff, at: 0)]).start == nil)
        // A recording may have anything.
        let far = [BagOfNotes.pose(Vector3(x: 1e300, y: 0, z: 0), at: 0), BagOfNotes.command(.takeoff, at: 100)]
        #expect(try BagOfNotes.log(far).start == nil)
    }

    @Test func `nothing is given for nothing, and a replay that is cancelled ends`() async throws {
        let link = try await connected()
        #expect(try await replay([], over: link).steps.isEmpty)
        let log = try BagOfNotes.log([BagOfNotes.command(.hover, at: 0), BagOfNotes.command(.takeoff, at: 9000)])
        let fake = fake
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await FlightReplay(link: link, timeSource: JumpingTimeSource(fake: fake), timeout: .seconds(1)).run(
                log)
        }
        let report = await task.value
        #expect(report.steps.isEmpty && link.commands.isEmpty)
        #expect(report.isInterrupted && report.problem == "interrupted")
        await link.close()
    }

    @Test func `an interruption of the take-off before a replay is no failure of the take-off`() async throws {
        let link = try await connected()
        let log = try BagOfNotes.log([
            .telemetry(Self.flying, at: BagOfNotes.at(0)), BagOfNotes.command(.hover, at: 100),
        ])
        let source = JumpingTimeSource(fake: fake)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await FlightReplay(link: link, timeSource: source, timeout: .seconds(1)).run(log)
        }
        let report = try await fake.run(through: { await task.value })
        #expect(report.problem == "interrupted" && report.takeOffProblem == nil && !report.tookOffFirst)
        await link.close()
    }
}
