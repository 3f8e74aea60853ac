internal import ReportKit
internal import UAVLink

/// The heading that follows the path through corners at which the vehicle does not stop.
///
/// The path's direction jumps at each corner. The heading follows at the highest turn rate, half before the corner and half
/// after it, and is smoothed by two running means: the first long enough to bound the acceleration, the second the jerk. The
/// bounds hold for the differences of the samples whatever the path does.
struct PathHeading {
    /// The direction of the path from a time on.
    struct Step {
        let time: Double
        let heading: Double
    }

    let start: Double
    let end: Double
    /// Fallback if there is no time to follow the path: one turn from the first heading to the last.
    let turn: HeadingTurn
    let to: Double
    /// Sorted by time.
    let steps: [Step]

    private var from: Double { turn.from }

    /// The headings at `count` samples from `firstTime` on; `nil` if there is no time to be at rest at both ends.
    func samples(
        firstTime: Double, count: Int, timeStep: Double, limits: MotionLimits.Limits
    ) -> [Double]? {
        // Windows for half of the worst case are nearly always enough; those for the worst case always are.
        for factor in [1.0, 1.5, 2.0] {
            let first = Int(saturating: (factor * limits.speed / limits.acceleration / timeStep).rounded(.up))
            let second = Int(saturating: (2 * limits.acceleration / limits.jerk / timeStep).rounded(.up))
            guard first + second < count else { continue }
            guard
                let followed = follow(
                    firstTime: firstTime, count: count, timeStep: timeStep, limits: limits, margin: first + second)
            else { return nil }
            let smooth = runningMean(runningMean(followed, first), second)
            if holds(smooth, timeStep: timeStep, limits: limits) || factor == 2 { return smooth }
        }
        return nil
    }

    /// Follows at the highest turn rate, as much early as late; at rest for at least `margin` samples in total at the ends.
    private func follow(
        firstTime: Double, count: Int, timeStep: Double, limits: MotionLimits.Limits, margin: Int
    ) -> [Double]? {
        let half = margin / 2 + 2
        var wanted = [Double](repeating: from, count: count)
        var next = 0
        var heading = from
        for index in 0..<count {
            let time = firstTime + Double(index) * timeStep
            while next < steps.count, steps[next].time <= time {
                heading = steps[next].heading
                next += 1
            }
            wanted[index] = index < half ? from : index >= count - half ? to : heading
        }
        let most = limits.speed * timeStep
        var late = wanted
        late[0] = from
        for index in 1..<count {
            late[index] = late[index - 1] + min(max(wanted[index] - late[index - 1], -most), most)
        }
        var early = wanted
        early[count - 1] = to
        for index in (0..<count - 1).reversed() {
            early[index] = early[index + 1] + min(max(wanted[index] - early[index + 1], -most), most)
        }
        let both = zip(late, early).map { ($0 + $1) / 2 }
        let isAtRest =
            both.prefix(half).allSatisfy { ($0 - from).magnitude < 1e-9 }
            && both.suffix(half).allSatisfy { ($0 - to).magnitude < 1e-9 }
        return isAtRest ? both : nil
    }

    /// The mean over `width` samples around each; the heading is constant beyond the ends.
    private func runningMean(_ values: [Double], _ width: Int) -> [Double] {
        guard width > 1 else { return values }
        let ahead = width / 2
        func value(_ index: Int) -> Double { index < 0 ? from : index >= values.count ? to : values[index] }
        // Sums are relative to the first heading, so that they stay small.
        var sum = 0.0
        for index in ahead - width + 1...ahead { sum += value(index) - from }
        var means = [Double](repeating: 0, count: values.count)
        for index in values.indices {
            means[index] = from + sum / Double(width)
            sum += value(index + 1 + ahead) - value(index + 1 + ahead - width)
        }
        return means
    }

    private func holds(_ headings: [Double], timeStep: Double, limits: MotionLimits.Limits) -> Bool {
        let acceleration = limits.acceleration * timeStep * timeStep * (1 + 1e-9)
        let jerk = limits.jerk * timeStep * timeStep * timeStep * (1 + 1e-9)
        var (before, previous) = (0.0, 0.0)
        for index in headings.indices.dropFirst() {
            let change = headings[index] - headings[index - 1]
            let bend = change - before
            guard bend.magnitude <= acceleration, (bend - previous).magnitude <= jerk else { return false }
            (before, previous) = (change, bend)
        }
        return true
    }
}
