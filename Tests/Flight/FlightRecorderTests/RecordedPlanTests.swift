import FlightRecorder
import IntegrationKit
import RouteFlight
import Testing
import UAVLink
import UAVTestKit

/// A recording of ours carries the plan that was flown.
@Suite struct RecordedPlanTests {
    private static let trajectory = Trajectory(
        frame: .worldOrigin,
        points: (0..<50).map { .init(position: Vector3(x: Double($0) * 0.1, y: 1, z: 2), headingRadians: 0.5) },
        timeStepSeconds: 0.1)

    private func flight(_ answer: Result<CommandReply, LinkError>) throws -> RecordedFlight {
        let bytes = BagOfNotes.bytes([
            BagOfNotes.command(.uploadTrajectory(Self.trajectory), at: 100, answer),
            BagOfNotes.command(.startTrajectory, at: 200), BagOfNotes.pose(Vector3(x: 0, y: 1, z: 2), at: 300),
            BagOfNotes.pose(Vector3(x: 0.1, y: 1, z: 2), at: 400),
        ])
        var flight = RecordedFlight()
        try flight.feed(bytes)
        try flight.finish()
        return flight
    }

    @Test func `an accepted trajectory is in the recording, as the vehicle got it`() throws {
        let flight = try flight(.success(CommandReply(accepted: true, message: "trajectory loaded")))
        #expect(flight.plans.map(\.trajectory) == [Self.trajectory])
        #expect(flight.positions.count == 2 && flight.vehicle == "uav1")
    }

    @Test(arguments: [
        Result<CommandReply, LinkError>.success(CommandReply(accepted: false, message: "no")),
        .failure(LinkError(.timedOut, "no answer")),
    ])
    func `one that was not accepted is no plan`(answer: Result<CommandReply, LinkError>) throws {
        #expect(try flight(answer).plans.isEmpty)
    }

    /// The command was given the file that another one had sent.
    @Test func `a plan that the vehicle holds from before is in the recording too`() throws {
        let bytes = BagOfNotes.bytes([
            BagOfNotes.command(.startTrajectory, at: 200), .plan(Self.trajectory, at: BagOfNotes.at(210)),
            BagOfNotes.pose(Vector3(x: 0, y: 1, z: 2), at: 300),
            BagOfNotes.pose(Vector3(x: 0.1, y: 1, z: 2), at: 400),
        ])
        var flight = RecordedFlight()
        try flight.feed(bytes)
        try flight.finish()
        #expect(flight.plans.map(\.trajectory) == [Self.trajectory])
        let comparison = try FlightComparison(flight, plan: nil, session: nil)
        #expect(comparison.plan.points.count == 50 && comparison.flown.count == 2)
    }

    @Test func `a running recording takes the plan, and none is begun for it`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock()
        let recordings = Recordings(path: folder.file("a.bag"), clock: clock)
        recordings.note(Self.trajectory, of: "uav1")
        _ = try recordings.recorder(of: "uav1")
        recordings.note(Self.trajectory, of: "uav1")
        let outcomes = try await clock.run(through: { await recordings.finish() })
        #expect(outcomes.map(\.messages) == [1])
    }

    @Test func `a recording that begins after the trajectory was sent has it`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock()
        let recordings = Recordings(path: nil, clock: clock)
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(5))
        let recorded = try recordings.around(link, vehicle: "uav1")
        _ = try await recorded.perform(.uploadTrajectory(Self.trajectory), within: .seconds(5))
        let path = try recordings.start("uav1", at: folder.file("a.bag"))
        try await clock.run(through: {
            await recorded.close()
            _ = await recordings.finish()
        })
        #expect(try await FlightLogFile.read(path).plans.map(\.trajectory) == [Self.trajectory])
    }
}
