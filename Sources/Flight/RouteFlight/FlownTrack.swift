internal import FlightControl
package import Trajectories
package import UAVLink

/// The flown track of a plan, recorded during the flight, and its error against the plan.
package struct FlownTrack: Sendable {
    /// Flown positions in order; times in seconds of the monotonic clock.
    package private(set) var flown: [TrackError.Flown] = []
    private let plan: Trajectory
    private let path: PathDistance?
    private var cross: [Double] = []
    private var atTime: [Double] = []
    private var course = FlownCourse()

    /// Maximum number of recorded positions: over five hours at 50 Hz.
    package static let maximumPositions = 1_000_000

    /// Creates an empty track of a plan.
    package init(_ plan: Trajectory) {
        self.plan = plan
        path = PathDistance(plan.points.map(\.position))
    }

    /// Adds a position.
    ///
    /// - Parameter planSeconds: position along the plan at that time, seconds from its start; `nil` if unknown.
    package mutating func add(_ position: Vector3, at time: MonotonicTime, planSeconds: Double?) {
        guard position.isFinite, flown.count < Self.maximumPositions, let path else { return }
        flown.append(.init(seconds: Double(time.nanoseconds) / 1e9, position: position))
        let distance = path.distance(to: position)
        cross.append(distance)
        course.take(distance)
        if let planSeconds { atTime.append((position - plan.position(at: planSeconds)).length) }
    }

    /// How far from the plan the vehicle was, metres, if the track is that of another trajectory, or never came to the plan; `nil` if it
    /// is the plan's, or too short to tell. The way to the plan's start does not count.
    package var strayMetres: Double? { course.strayMetres }

    /// Cross-track error so far; `nil` before the first position.
    package var crossTrack: TrackError.Figures? { TrackError.Figures(cross) }
    /// Error to the planned position at the same time; `nil` before the first position with a plan time.
    package var atTimeError: TrackError.Figures? { TrackError.Figures(atTime) }
    /// Both errors; `nil` before the first position.
    package var error: TrackError? { crossTrack.map { TrackError(crossTrack: $0, atTime: atTimeError) } }
}
