import FlightRecorder
import RouteFlight
import Testing
import UAVLink

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
}
