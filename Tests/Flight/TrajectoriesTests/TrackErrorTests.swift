import Statistics
import Testing
import Trajectories
import UAVLink

@Suite("The flown track against the plan")
struct TrackErrorTests {
    private let plan = Trajectory(
        frame: .worldOrigin,
        points: (0...100).map { .init(position: Vector3(x: Double($0) * 0.1, y: 0, z: 2), headingRadians: 0) },
        timeStepSeconds: 0.1)

    @Test("Across the track and at the time are two things")
    func figures() throws {
        // A tenth beside it, and half a second late: 0.5 m along it.
        let flown = (0...100).map {
            TrackError.Flown(
                seconds: 50 + Double($0) * 0.1, position: Vector3(x: max(0, Double($0) * 0.1 - 0.5), y: 0.1, z: 2))
        }
        let error = try #require(TrackError(plan: plan, flown: flown, startSeconds: 50))
        #expect((error.crossTrack.mean - 0.1).magnitude < 1e-9)
        #expect((error.crossTrack.maximum - 0.1).magnitude < 1e-9)
        let atTime = try #require(error.atTime)
        #expect((atTime.maximum - (0.25 + 0.01).squareRoot()).magnitude < 1e-9)
        #expect(atTime.count == 101)
        #expect(try #require(TrackError(plan: plan, flown: flown, startSeconds: nil)).atTime == nil)
        #expect(TrackError(plan: plan, flown: [], startSeconds: 0) == nil)
    }

    @Test("The 95th percentile is the nearest rank")
    func percentile() {
        let figures = TrackError.Figures((1...100).map(Double.init))
        #expect(figures?.p95 == 95)
        #expect(figures?.mean == 50.5)
        #expect(figures?.maximum == 100)
        #expect(TrackError.Figures([])?.mean == nil)
        #expect(TrackError.Figures([3])?.p95 == 3)
    }

    @Test("The nearest place is the nearest, by brute force", arguments: 0..<20)
    func nearest(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        func place() -> Vector3 {
            Vector3(
                x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random),
                z: .random(in: -5...5, using: &random))
        }
        let line = (0..<Int.random(in: 1...200, using: &random)).map { _ in place() }
        let path = try #require(PathDistance(line))
        for _ in 0..<100 {
            let position = place() * 2
            #expect((path.distance(to: position) - distance(from: position, toPolyline: line)).magnitude < 1e-9)
        }
    }

    @Test("A plan says where it is between its samples")
    func between() {
        #expect((plan.position(at: 0.25) - Vector3(x: 0.25, y: 0, z: 2)).length < 1e-9)
        #expect(plan.position(at: -1).x == 0)
        #expect(plan.position(at: 99).x == 10)
    }
}
