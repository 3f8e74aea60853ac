internal import ReportKit
public import UAVLink

/// How far a flown track was from the planned path.
public struct TrackError: Hashable, Sendable {
    /// A flown position and when, seconds on any clock that the plan's start is given in.
    public struct Flown: Hashable, Sendable {
        /// Seconds.
        public var seconds: Double
        /// Metres, in the plan's frame.
        public var position: Vector3

        /// A flown position.
        public init(seconds: Double, position: Vector3) {
            self.seconds = seconds
            self.position = position
        }
    }

    /// Figures of a set of distances, metres.
    public struct Figures: Hashable, Sendable {
        /// How many positions were compared.
        public var count: Int
        /// The mean.
        public var mean: Double
        /// The distance that 95 % of the positions keep (nearest rank).
        public var p95: Double
        /// The greatest.
        public var maximum: Double

        /// The figures of these distances; `nil` of none.
        public init?(_ distances: [Double]) {
            guard !distances.isEmpty else { return nil }
            let sorted = distances.sorted()
            count = sorted.count
            mean = sorted.reduce(0, +) / Double(sorted.count)
            p95 = sorted[max(0, Int(saturating: (0.95 * Double(sorted.count)).rounded(.up)) - 1)]
            maximum = sorted[sorted.count - 1]
        }
    }

    /// To the nearest place on the path.
    public var crossTrack: Figures
    /// To where the plan was at that time; absent when the plan's start is not known, or nothing was flown meanwhile.
    public var atTime: Figures?

    /// Errors that were computed elsewhere.
    public init(crossTrack: Figures, atTime: Figures?) {
        self.crossTrack = crossTrack
        self.atTime = atTime
    }

    /// Compares a flown track with a plan.
    ///
    /// - Parameter start: when the plan began, on the clock of the flown positions.
    /// - Returns: `nil` when nothing was flown or nothing planned.
    public init?(plan: Trajectory, flown: [Flown], startSeconds start: Double?) {
        guard let path = NearestOnPath(plan.points.map(\.position)) else { return nil }
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
    /// Where the plan is after so many seconds, between two samples in proportion.
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
