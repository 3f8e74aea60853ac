package import Trajectories
package import UAVLink

/// Which route a trajectory was made from, to tell whether the route has changed since.
package struct RouteVersion: Hashable, Sendable {
    /// Where the route is edited.
    package enum Source: Hashable, Sendable {
        /// On the map.
        case map
        /// In an indoor map.
        case indoor
        /// In a file.
        case file
    }

    /// Where the route is edited.
    package var source: Source
    package var points: [PlannedPoint]
    /// How the trajectory is made from them.
    package var options: TrajectoryOptions
    /// How the path is searched; `nil` if it is flown as drawn.
    package var search: InspectionSettings?

    package init(
        _ source: Source, points: [PlannedPoint], options: TrajectoryOptions = .init(),
        search: InspectionSettings? = nil
    ) {
        self.source = source
        self.points = points
        self.options = options
        self.search = search
    }
}

/// The route that the vehicle holds.
package struct HeldRoute: Hashable, Sendable {
    /// The plan that was sent.
    package var plan: TrajectoryPlan
    /// Least clearance to the map along the path, metres; `nil` if it is not known.
    package var leastClearanceMetres: Double?
    /// What it was made from; `nil` if that is not known.
    package var version: RouteVersion?
    /// Whether the route was changed since: the vehicle holds an older one.
    package var isOlder = false
    /// Whether the vehicle changed points of it, so that it is not flown.
    package var isChangedByVehicle = false

    package init(_ plan: TrajectoryPlan, leastClearanceMetres: Double? = nil, version: RouteVersion? = nil) {
        self.plan = plan
        self.leastClearanceMetres = leastClearanceMetres
        self.version = version
    }
}

/// What the vehicle does with a route. Times say since when, on the ground's monotonic clock.
package enum RouteFlightState: Hashable, Sendable {
    /// No route was sent.
    case nothingSent
    /// A route is being sent; the one before no longer counts as held.
    case uploading(TrajectoryPlan)
    /// The vehicle holds a route and does nothing with it.
    case uploaded(HeldRoute, since: MonotonicTime)
    /// It flies to the first point; under way as soon as its telemetry reported the goal.
    case goingToStart(HeldRoute, since: MonotonicTime, isUnderWay: Bool)
    /// It follows a trajectory; under way as soon as its telemetry reported that. `nil`: another sender's.
    case flying(HeldRoute?, since: MonotonicTime, isUnderWay: Bool)
    /// It was stopped before the end, and may be resumed.
    case stopped(HeldRoute, since: MonotonicTime)
    /// It was flown to its end.
    case flown(HeldRoute, since: MonotonicTime)
    /// The upload failed; it is not known what the vehicle holds.
    case failed(TrajectoryFlightFailure)
}

/// How a flight that was watched ended.
package enum RouteFlightEnd: Hashable, Sendable {
    /// At the end of the trajectory.
    case flown
    /// At the end of a trajectory, but not along this one: the vehicle was so many metres away from it.
    case astray(metres: Double)
    /// Before it, after this fraction, 0 to 1: a stop or another command ended it.
    case stopped(fraction: Double)
    /// Its start was accepted, and the vehicle does not follow it.
    case notFollowed
    /// Not before the deadline.
    case notEnded
}

/// What a pilot can do with a route.
package enum RouteAction: Hashable, Sendable, CaseIterable {
    /// Send it to the vehicle; nothing moves.
    case send
    /// Fly to its first point.
    case goToStart
    /// Fly it from its beginning.
    case start
    /// Stop and hold.
    case stop
    /// Go on where it was stopped.
    case resume
}

/// What the vehicle's tracker reported.
struct TrackerReport: Hashable, Sendable {
    /// When it was measured.
    var at: MonotonicTime
    /// Whether the vehicle follows a trajectory.
    var isTracking: Bool
    /// Whether it flies to a goal.
    var hasGoal: Bool
    /// If it no longer follows the trajectory: whether it came to its end.
    var isComplete: Bool
    /// If it no longer follows the trajectory: whether it is past the last sample and still flies to it.
    var isOnItsWay = false
}

extension RouteFlightState {
    /// A report measured within this time of a command may be from before it: the tracker reports ten times a second, and
    /// over SSH a report is dated when it arrives.
    static let reportLag: Duration = .seconds(1)
    /// How long an accepted command may take to appear in telemetry; see `FlightInteractor.Limits.goalFlagTimeout`, and slower
    /// links.
    static let effectTimeout: Duration = .seconds(5)

    /// The route that the vehicle holds; `nil` if none was sent from here.
    package var held: HeldRoute? {
        switch self {
        case .nothingSent, .uploading, .failed: nil
        case .uploaded(let held, _), .goingToStart(let held, _, _), .stopped(let held, _), .flown(let held, _): held
        case .flying(let held, _, _): held
        }
    }

    /// The same, and whether the held route is older than `current`.
    func compared(with current: RouteVersion?) -> Self {
        func compared(_ held: HeldRoute) -> HeldRoute {
            var held = held
            if let current, let version = held.version { held.isOlder = version != current }
            return held
        }
        return switch self {
        case .nothingSent, .uploading, .failed: self
        case .uploaded(let held, let since): .uploaded(compared(held), since: since)
        case .goingToStart(let held, let since, let isUnderWay):
            .goingToStart(compared(held), since: since, isUnderWay: isUnderWay)
        case .flying(let held, let since, let isUnderWay):
            .flying(held.map(compared), since: since, isUnderWay: isUnderWay)
        case .stopped(let held, let since): .stopped(compared(held), since: since)
        case .flown(let held, let since): .flown(compared(held), since: since)
        }
    }

    // MARK: Commands

    /// After the vehicle accepted an action other than sending.
    func accepted(_ action: RouteAction, at now: MonotonicTime) -> Self {
        switch self {
        case .uploading, .failed, .nothingSent: return self
        case .flying(nil, _, _): return action == .stop ? .nothingSent : self
        case .uploaded, .goingToStart, .flying, .stopped, .flown: break
        }
        guard let held else { return self }
        switch action {
        case .send: return self
        case .goToStart: return .goingToStart(held, since: now, isUnderWay: false)
        case .start, .resume: return .flying(held, since: now, isUnderWay: false)
        case .stop: return afterStop(held, at: now)
        }
    }

    /// Only what is under way can be resumed: resuming a route that was not started would fly all of it.
    private func afterStop(_ held: HeldRoute, at now: MonotonicTime) -> Self {
        switch self {
        case .uploaded, .goingToStart: .uploaded(held, since: now)
        case .flown: .flown(held, since: now)
        case .nothingSent, .uploading, .flying, .stopped, .failed: .stopped(held, since: now)
        }
    }

    // MARK: Telemetry

    /// After a report; what the vehicle reports has precedence over what it was commanded, as soon as the report can be newer.
    func seeing(_ report: TrackerReport) -> Self { report.isTracking ? tracking(report) : idle(report) }

    private func tracking(_ report: TrackerReport) -> Self {
        switch self {
        case .uploading: self
        case .nothingSent, .failed: .flying(nil, since: report.at, isUnderWay: true)
        case .uploaded(let held, let since), .goingToStart(let held, let since, _), .stopped(let held, let since),
            .flown(let held, let since):
            report.at - since > Self.reportLag ? .flying(held, since: report.at, isUnderWay: true) : self
        case .flying(let held, let since, let isUnderWay):
            .flying(held, since: since, isUnderWay: isUnderWay || report.at >= since)
        }
    }

    private func idle(_ report: TrackerReport) -> Self {
        switch self {
        case .nothingSent, .uploading, .uploaded, .stopped, .flown, .failed: return self
        case .goingToStart(let held, let since, let isUnderWay):
            if report.hasGoal {
                return .goingToStart(held, since: since, isUnderWay: isUnderWay || report.at >= since)
            }
            // It has arrived, or was there already.
            return isUnderWay || report.at - since > Self.effectTimeout ? .uploaded(held, since: report.at) : self
        case .flying(let held, let since, let isUnderWay):
            guard isUnderWay || (!report.hasGoal && report.at - since > Self.effectTimeout) else { return self }
            guard let held else { return .nothingSent }
            guard isUnderWay else { return .uploaded(held, since: report.at) }
            guard !report.isOnItsWay else { return self }
            return report.isComplete ? .flown(held, since: report.at) : .stopped(held, since: report.at)
        }
    }
}
