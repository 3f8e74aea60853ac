import Testing
import Trajectories
import UAVLink

@Suite("The generator")
struct GeneratorTests {
    private func at(_ x: Double, _ y: Double, _ z: Double = 5) -> PlannedPoint {
        PlannedPoint(position: Vector3(x: x, y: y, z: z))
    }

    private func generate(
        _ points: [PlannedPoint], limits: MotionLimits = .medium, _ set: (inout TrajectoryOptions) -> Void = { _ in }
    ) throws(RouteError) -> GeneratedTrajectory {
        var options = TrajectoryOptions()
        set(&options)
        return try TrajectoryGenerator(limits: limits, options: options).trajectory(through: points)
    }

    @Test("The seed's 4 m/s at 0.02 s are its 8 cm")
    func seedFigures() throws {
        let made = try generate([at(0, 0), at(100, 0)])
        #expect((made.trajectory.timeStepSeconds - 0.02).magnitude < 1e-9)
        let audit = MotionAudit(made.trajectory, limits: .medium)
        #expect((audit.largestSpacingMetres - 0.08).magnitude < 1e-6)
        #expect((made.lengthMetres - 100).magnitude < 1e-9)
        // Two seconds to 4 m/s, as many back, and a twentieth each for the jerk: 25 + 2 + 0.05 s.
        #expect((made.durationSeconds - 27.05).magnitude < 0.05)
    }

    @Test("The step follows from the speed")
    func stepFollows() throws {
        var fast = MotionLimits.medium
        fast.horizontal.speed = 8
        let made = try generate([at(0, 0), at(200, 0)], limits: fast)
        #expect((made.trajectory.timeStepSeconds - 0.01).magnitude < 1e-9)
        let slow = try generate([at(0, 0), at(20, 0)]) { $0.cruiseSpeed = 1 }
        #expect(slow.trajectory.timeStepSeconds == 0.02)
        let dense = try generate([at(0, 0), at(1, 0)]) { $0.spacingMetres = 0.001 }
        #expect(dense.trajectory.timeStepSeconds >= TrajectoryOptions.shortestTimeStep * (1 - 1e-6))
        #expect(MotionAudit(dense.trajectory, limits: .medium).largestSpacingMetres <= 0.001)
    }

    @Test("A straight path stops at its corner, a smoothed one does not")
    func corners() throws {
        let points = [at(0, 0), at(20, 0), at(20, 20)]
        let straight = try generate(points) { $0.shape = .straight }
        let corner = straight.trajectory.points[straight.pointSamples[1]].position
        #expect((corner - points[1].position).length < 1e-6)
        let smooth = try generate(points) { $0.shape = .smoothed(deviationMetres: 0.5) }
        let passed = smooth.trajectory.points[smooth.pointSamples[1]].position
        #expect((passed - points[1].position).length <= 0.51)
        #expect((passed - points[1].position).length > 0.3)
        #expect(smooth.durationSeconds < straight.durationSeconds - 1)
    }

    @Test("A hold lasts as long as it says")
    func hold() throws {
        var points = [at(0, 0), at(10, 0), at(20, 0)]
        points[1].holdSeconds = 3
        let made = try generate(points)
        let still = made.trajectory.points.filter { ($0.position - points[1].position).length < 1e-9 }
        #expect((Double(still.count) * made.trajectory.timeStepSeconds - 3).magnitude < 0.1)
        let stop = made.pointSamples[1]
        #expect((made.trajectory.points[stop].position - points[1].position).length < 1e-9)
    }

    @Test("A snapshot is taken at rest")
    func snapshot() throws {
        var points = [at(0, 0), at(10, 0), at(20, 0)]
        points[1].takesSnapshot = true
        let made = try generate(points)
        let stop = made.pointSamples[1]
        let (before, after) = (made.trajectory.points[stop - 1].position, made.trajectory.points[stop + 1].position)
        #expect((after - before).length < 1e-3)
    }

    @Test("The nose turns the shortest way")
    func shortestTurn() throws {
        var points = [at(0, 0), at(40, 0)]
        points[0].heading = .fixed(radians: 3)
        points[1].heading = .fixed(radians: -3)
        let made = try generate(points)
        #expect(made.trajectory.points.allSatisfy { $0.headingRadians.magnitude >= 3 - 1e-9 })
        #expect(made.trajectory.points.last.map { ($0.headingRadians + 3).magnitude < 1e-6 } == true)
    }

    @Test("Looking at a place is exact all the way, as slowly as it takes")
    func towards() throws {
        var points = [at(-20, 2), at(20, 2), at(20, 30)]
        points[0].heading = .towards(xMetres: 0, yMetres: 0)
        points[1].heading = .towards(xMetres: 0, yMetres: 0)
        let made = try generate(points)
        for sample in made.trajectory.points[..<made.pointSamples[1]] {
            // The way from the place to the vehicle has no part across the heading, and lies behind the nose.
            let place = sample.position
            let back = Vector3(x: -place.x, y: -place.y, z: 0)
            let turned = Heading.wrapped(sample.headingRadians)
            #expect(direction(back, isAt: turned))
        }
        #expect(MotionAudit(made.trajectory, limits: .medium).excesses == [])
        #expect(throws: RouteError.self) {
            var over = [at(-20, 0), at(20, 0)]
            over[0].heading = .towards(xMetres: 0, yMetres: 0)
            over[1].heading = .towards(xMetres: 0, yMetres: 0)
            _ = try generate(over)
        }
    }

    /// Whether a vector points to a heading, without functions of angles: by turning a long step at a time.
    private func direction(_ vector: Vector3, isAt heading: Double) -> Bool {
        let length = (vector.x * vector.x + vector.y * vector.y).squareRoot()
        // atan by halving: tan(a/2) = y / (length + x), and its series after two halvings more.
        guard length + vector.x > 1e-9 else { return (heading.magnitude - .pi).magnitude < 1e-6 }
        var tangent = vector.y / (length + vector.x)
        var factor = 2.0
        for _ in 0..<3 {
            tangent = tangent / (1 + (1 + tangent * tangent).squareRoot())
            factor *= 2
        }
        let square = tangent * tangent
        let angle = tangent * (1 - square / 3 + square * square / 5 - square * square * square / 7)
        return Heading.wrapped(angle * factor - heading).magnitude < 1e-6
    }

    @Test("A fixed heading that takes longer than the leg is turned to at rest")
    func turnsInPlace() throws {
        var points = [at(0, 0), at(0.5, 0), at(20, 0)]
        points[0].heading = .fixed(radians: 0)
        points[1].heading = .fixed(radians: .pi)
        points[2].heading = .fixed(radians: .pi)
        let made = try generate(points)
        let sample = made.trajectory.points[made.pointSamples[1]]
        #expect((sample.headingRadians.magnitude - .pi).magnitude < 1e-9)
        #expect((sample.position - points[1].position).length < 1e-5)
    }

    @Test("Up, over and down keep the vertical limits")
    func vertical() throws {
        var limits = MotionLimits.medium
        limits.descending = .init(speed: 0.7, acceleration: 0.5, jerk: 10)
        let made = try generate([at(0, 0, 2), at(0, 0, 12), at(30, 0, 12), at(30, 0, 2)], limits: limits)
        #expect(Differences(made.trajectory).excesses(limits, step: made.trajectory.timeStepSeconds) == [])
        // Ten metres down at 0.7 m/s alone take more than 14 s.
        #expect(made.durationSeconds > 14)
    }

    @Test("One place alone is a hold")
    func onePlace() throws {
        var point = at(1, 2)
        point.holdSeconds = 1
        let made = try generate([point, at(1, 2)])
        #expect(made.trajectory.points.allSatisfy { $0.position == point.position })
        #expect((made.durationSeconds - 1).magnitude < 0.021)
        let single = try generate([at(1, 2)])
        #expect(single.trajectory.points.count == 1)
    }

    @Test("What cannot be is an error that says what")
    func errors() {
        func code(
            _ points: [PlannedPoint], limits: MotionLimits = .medium,
            _ set: (inout TrajectoryOptions) -> Void = { _ in }
        ) -> RouteError.Code? {
            do {
                _ = try generate(points, limits: limits, set)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code([]) == .empty)
        #expect(code([at(0, .nan)]) == .invalid)
        #expect(code([at(0, 1e8)]) == .invalid)
        #expect(code([at(0, 0), at(100_000, 0)]) == .tooLong)
        // The heading of the last point cannot be held, but planning stops before: the hold alone is too long.
        var unreachable = [at(0, 0), at(10, 0), at(20, 0)]
        unreachable[2].heading = .towards(xMetres: 15, yMetres: 0)
        #expect(code(unreachable) == .heading)
        var long = unreachable
        long[0].holdSeconds = 86_400
        #expect(code(long) == .tooLong)
        #expect(code([at(0, 0)]) { $0.spacingMetres = 0 } == .options)
        #expect(code([at(0, 0)]) { $0.timeStepSeconds = .infinity } == .options)
        #expect(code([at(0, 0)]) { $0.shape = .smoothed(deviationMetres: -1) } == .options)
        var limits = MotionLimits.medium
        limits.heading.jerk = 0
        #expect(code([at(0, 0)], limits: limits) == .options)
    }
}
