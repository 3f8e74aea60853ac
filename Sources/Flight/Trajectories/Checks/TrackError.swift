internal import ReportKit
public import UAVLink

/// Deviation of a flown track from the planned path.
public struct TrackError: Hashable, Sendable {
    /// A flown position and its time, seconds on the clock of the plan's start.
    public struct Flown: Hashable, Sendable {
        /// Time, seconds.
        public var seconds: Double
        /// Metres, in the plan's frame.
        public var position: Vector3

        /// A flown position.
        public init(seconds: Double, position: Vector3) {
            self.seconds = seconds
            self.position = position
        }
    }

    /// Statistics of a set of distances, metres.
    public struct Figures: Hashable, Sendable {
        /// Number of positions compared.
        public var count: Int
        /// The mean.
        public var mean: Double
        /// The 95th percentile (nearest rank).
        public var p95: Double
        /// The maximum.
        public var maximum: Double

        /// Statistics of distances; `nil` if there are none.
        public init?(_ distances: [Double]) {
            guard !distances.isEmpty else { return nil }
            let sorted = distances.sorted()
            count = sorted.count
            mean = sorted.reduce(0, +) / Double(sorted.count)
            p95 = sorted[max(0, Int(saturating: (0.95 * Double(sorted.count)).rounded(.up)) - 1)]
            maximum = sorted[sorted.count - 1]
        }
    }

    /// Distance to the nearest point of the path.
    public var crossTrack: Figures
    /// Distance to the planned position at the same time; `nil` if the plan's start is unknown, or nothing was flown meanwhile.
    public var atTime: Figures?

    /// Creates errors that were computed elsewhere.
    public init(crossTrack: Figures, atTime: Figures?) {
        self.crossTrack = crossTrack
        self.atTime = atTime
    }

    /// Compares a flown track with a plan.
    ///
    /// - Parameter start: start of the plan on the clock of the flown positions.
    /// - Returns: `nil` if nothing was flown or nothing planned.
    public init?(plan: Trajectory, flown: [Flown], startSeconds start: Double?) {
        guard let path = PathDistance(plan.points.map(\.position)) else { return nil }
        let positions = flown.filter { $0.position.isFinite && $0.seconds.isFinite }
        guard let cross = Figures(positions.map { path.distance(to: $0.position) }) else { return nil }
        crossTrack = cross
        guard let start else { return }
        let end = Double(plan.points.count - 1) * plan.timeStepSeconds
        atTime = Figures(
            positions.compactMap { flown in
                let time = flown.seconds - start
                guard time >= 0, time <= end else { return nil }
                return (flown.position - plan.position(at: time)).length
            })
    }
}

extension Trajectory {
    /// Planned position after a time, interpolated linearly between samples.
    public func position(at seconds: Double) -> Vector3 {
        guard let first = points.first, let last = points.last, timeStepSeconds > 0 else { return .zero }
        let at = seconds / timeStepSeconds
        guard at > 0 else { return first.position }
        guard at < Double(points.count - 1) else { return last.position }
        let index = Int(saturating: at)
        let from = points[index].position
        return from + (points[index + 1].position - from) * (at - Double(index))
    }
}
