import FlightControl
import Testing
import UAVLink

/// The end of the tracker's samples is not the end of the flight.
extension InterruptedFlightTests {
    /// The tracker comes to the last sample while the vehicle is far from it: it was resumed elsewhere, and flies on.
    var fromAfar: [Seen] {
        let followed = (90...100).map {
            Seen(place: Vector3(x: 24, y: 0, z: 3), velocity: Vector3(x: -1, y: 0, z: 0), hasGoal: true, index: $0)
        }
        let end = Seen(place: Vector3(x: 10, y: 0, z: 3))
        return followed + way(from: 24, to: 10, at: 4) + Array(repeating: end, count: 7)
    }

    @Test(arguments: [Command.startTrajectory, .resumeTrajectory])
    func `one after whose last sample the vehicle flew on is not said to be flown`(command: Command) async throws {
        let arrival = try #require(try await wait(for: command, while: fromAfar))
        #expect(arrival.outcome == .notCompared && !arrival.isSuccess, "\(arrival.text)")
        let words = "it is not known whether the end of the trajectory was reached: the flight ended at 10.0 0.0 3.0"
        #expect(arrival.text.hasPrefix(words), "\(arrival.text)")
    }

    @Test(arguments: [10.0, 6]) func `where the end of one is known it is compared`(x: Double) async throws {
        let last = Trajectory.Point(position: Vector3(x: x, y: 0, z: 3), headingRadians: 0)
        let sent = Trajectory(frame: .current, points: [last], timeStepSeconds: 0.1, fliesNow: true)
        if x == 10 {
            #expect(try await wait(for: .uploadTrajectory(sent), while: fromAfar)?.outcome == .flown)
        } else {
            let why = await failure(of: .uploadTrajectory(sent), while: fromAfar)
            #expect(why == "not reached: the flight ended at 10.0 0.0 3.0, 4.0 m from it")
        }
    }

    /// The speed shows that it flies on, although nothing says that it has a goal.
    @Test func `one is not flown while the vehicle moves`() async {
        let moving = Seen(place: Vector3(x: 10, y: 0, z: 3), velocity: Vector3(x: 1, y: 0, z: 0))
        let why = await failure(of: .startTrajectory, while: followed(to: 100) + Array(repeating: moving, count: 9))
        #expect(!why.contains("flown"), "\(why)")
    }
}
