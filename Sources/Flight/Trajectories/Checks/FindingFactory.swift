internal import ReportKit
internal import UAVLink

/// Creates findings that name the route point they belong to.
struct FindingFactory {
    let generated: GeneratedTrajectory
    var trajectory: Trajectory { generated.trajectory }

    /// A finding at a sample.
    func finding(
        _ kind: TrajectoryFinding.Kind, _ sample: Int, at position: Vector3, _ words: String
    ) -> TrajectoryFinding {
        let point = generated.point(before: sample)
        let isThere = generated.pointSamples.indices.contains(point) && generated.pointSamples[point] == sample
        let label =
            isThere || point + 1 >= generated.pointSamples.count
            ? "point \(point + 1)" : "between point \(point + 1) and point \(point + 2)"
        return TrajectoryFinding(
            kind, pointIndex: point, sample: sample, position: position,
            text: "\(label), at \(position.words): \(words)")
    }

    /// The worst sample of each run of samples whose excess is positive.
    func worstSamples(_ excess: (Vector3) -> Double) -> [(sample: Int, position: Vector3)] {
        var found: [(Int, Vector3)] = []
        var worst: (excess: Double, sample: Int)?
        for (sample, point) in trajectory.points.enumerated() {
            let now = excess(point.position)
            if now > 0 {
                if now > worst?.excess ?? 0 { worst = (now, sample) }
            } else if let run = worst {
                found.append((run.sample, trajectory.points[run.sample].position))
                worst = nil
            }
        }
        if let run = worst { found.append((run.sample, trajectory.points[run.sample].position)) }
        return found
    }
}

extension Vector3 {
    /// Text for the user, to a centimetre.
    var words: String { "(\(x.short), \(y.short), \(z.short)) m" }
}

extension Double {
    /// Text with at most two decimals.
    var short: String {
        guard magnitude < 1e12 else { return "\(self)" }
        let rounded = (self * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(saturating: rounded))" : "\(rounded)"
    }
}
