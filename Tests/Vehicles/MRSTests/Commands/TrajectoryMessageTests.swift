import MRS
import MRSMessages
import Testing
import UAVLink

@Suite("Trajectories as messages") struct TrajectoryMessageTests {
    private let trajectory = Trajectory(
        frame: .utm,
        points: [
            .init(position: Vector3(x: 1, y: -2, z: 3), headingRadians: 0.5),
            .init(position: Vector3(x: 1.5, y: -2, z: 3), headingRadians: -3),
        ], timeStepSeconds: 0.1, usesHeading: false, fliesNow: true, loops: true)

    @Test func `a trajectory is the same after it was a message`() {
        let message = MRSMsgs.TrajectoryReference(trajectory)
        #expect(message.header.frameID == "utm_origin" && message.points.count == 2 && message.dt == 0.1)
        #expect(Trajectory(message) == trajectory)
        #expect(Trajectory(MRSMsgs.TrajectoryReference()).points.isEmpty)
    }

    @Test(arguments: [0, -0.1, Double.nan, .infinity])
    func `without a valid time step it has the one that the flight stack takes`(_ step: Double) {
        var message = MRSMsgs.TrajectoryReference(trajectory)
        message.dt = step
        #expect(Trajectory(message).timeStepSeconds == 0.2)
    }
}
