internal import FlightControl
public import Trajectories
public import UAVLink

/// What was flown of a plan, recorded while it is flown, and how far from the plan it was.
public struct FlownTrack: Sendable {
    /// The positions, in the order in which they were flown; seconds on the machine's clock.
    public private(set) var flown: [TrackError.Flown] = []
    private let plan: Trajectory
    private let path: NearestOnPath?
    private var cross: [Double] = []
    private var atTime: [Double] = []

    /// More positions than this are not kept: five hours at 50 Hz.
    public static let mostPositions = 1_000_000

    /// A record of a plan that is to be flown.
    public init(_ plan: Trajectory) {
        self.plan = plan
        path = NearestOnPath(plan.points.map(\.position))
    }

    /// Takes a position.
    ///
    /// - Parameter planSeconds: how far along the plan the vehicle was then, seconds from the plan's beginning.
    public mutating func add(_ position: Vector3, at time: MonotonicTime, planSeconds: Double?) {
        guard position.isFinite, flown.count < Self.mostPositions, let path else { return }
        flown.append(.init(seconds: Double(time.nanoseconds) / 1e9, position: position))
        cross.append(path.distance(to: position))
        if let planSeconds { atTime.append((position - plan.position(at: planSeconds)).length) }
    }

    /// The distances to the path so far; `nil` before the first position.
    public var crossTrack: TrackError.Figures? { TrackError.Figures(cross) }
    /// The distances to where the plan was at the time; `nil` before the first.
    public var atTimeError: TrackError.Figures? { TrackError.Figures(atTime) }
    /// Both; `nil` before the first position.
    public var error: TrackError? { crossTrack.map { TrackError(crossTrack: $0, atTime: atTimeError) } }
    /// The distance to the path just now, metres.
    public var newestCrossTrackMetres: Double? { cross.last }
}
