import Testing
import Trajectories
import UAVLink

@Suite("Trajectories through random points keep every promise")
struct GeneratorPropertyTests {
    @Test("Limits, spacing, deviation and ends hold", arguments: 0..<300)
    func promises(seed: Int) throws {
        var routes = RandomRoutes(seed: UInt64(seed) &* 7919 &+ 1)
        let points = routes.points()
        let limits = routes.limits()
        var options = TrajectoryOptions()
        let deviation = Double.random(in: 0.01...1, using: &routes.random)
        options.shape = seed % 3 == 0 ? .straight : .smoothed(deviationMetres: deviation)
        options.spacingMetres = .random(in: 0.03...0.2, using: &routes.random)
        let generated = try TrajectoryGenerator(limits: limits, options: options).trajectory(through: points)
        let trajectory = generated.trajectory
        try trajectory.validate()

        let differences = Differences(trajectory)
        #expect(differences.excesses(limits, step: trajectory.timeStepSeconds) == [])
        #expect(differences.spacing <= options.spacingMetres)
        #expect(trajectory.timeStepSeconds <= 0.02)
        #expect(trajectory.points.first?.position == points.first?.position)
        #expect(trajectory.points.last?.position == points.last?.position)

        let bound = seed % 3 == 0 ? 0 : deviation
        let line = points.map(\.position)
        for sample in trajectory.points {
            #expect(distance(from: sample.position, toPolyline: line) <= bound + 1e-9)
        }
        // And every point is passed within the bound and the way of a step, in its order.
        for (index, sample) in generated.pointSamples.enumerated() {
            let away = (trajectory.points[sample].position - line[index]).length
            #expect(away <= bound + options.spacingMetres + 1e-9)
        }
        #expect(generated.pointSamples == generated.pointSamples.sorted())
        // The audit that guards the vehicle agrees.
        #expect(MotionAudit(trajectory, limits: limits).excesses == [])
    }

    @Test("Fixed headings are exact at their points", arguments: 0..<100)
    func headings(seed: Int) throws {
        var routes = RandomRoutes(seed: UInt64(seed) &* 104_729 &+ 3)
        let points = routes.points()
        let generated = try TrajectoryGenerator(limits: .medium).trajectory(through: points)
        let step = generated.trajectory.timeStepSeconds
        for (index, point) in points.enumerated() {
            guard case .fixed(let wanted) = point.heading else { continue }
            let sample = generated.trajectory.points[generated.pointSamples[index]]
            // A step of turning at the limit of speed.
            #expect(Heading.wrapped(sample.headingRadians - wanted).magnitude <= step + 1e-9)
        }
    }

    @Test("A finely drawn curve is flown smoothly and with the nose ahead")
    func fineCurve() throws {
        // 3000 points on a spiral of 10 to 40 m radius.
        var points: [PlannedPoint] = []
        var (x, y, angle) = (0.0, 0.0, 0.0)
        for index in 0..<3000 {
            points.append(PlannedPoint(position: Vector3(x: x, y: y, z: 5)))
            angle += 0.1 / (10 + 0.01 * Double(index))
            x += 0.1 * cosine(angle)
            y += 0.1 * sine(angle)
        }
        let generated = try TrajectoryGenerator(limits: .medium).trajectory(through: points)
        let audit = MotionAudit(generated.trajectory, limits: .medium)
        #expect(audit.excesses == [])
        // The average is not far below the cruise: a hundred metres would be 25 s at 4 m/s.
        #expect(generated.durationSeconds < 300 / 4 * 2.2)
        // The nose follows the path where the path is no tighter than the nose can turn.
        let samples = generated.trajectory.points
        var worst = 0.0
        for index in stride(from: samples.count / 4, to: samples.count * 3 / 4, by: 7) {
            let way = samples[index + 1].position - samples[index - 1].position
            let off = way.x * sine(samples[index].headingRadians) - way.y * cosine(samples[index].headingRadians)
            worst = max(worst, (off / max(way.length, 1e-9)).magnitude)
        }
        #expect(worst < 0.1)
    }

    private func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

    /// By its series: enough for a curve.
    private func sine(_ angle: Double) -> Double {
        let x = Heading.wrapped(angle)
        var (term, sum) = (x, x)
        for index in 1..<12 {
            term *= -x * x / Double(2 * index * (2 * index + 1))
            sum += term
        }
        return sum
    }
}
