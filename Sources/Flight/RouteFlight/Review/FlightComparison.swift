internal import FlightControl
package import Figures
package import Geodesy
package import ReportKit
package import Trajectories
package import UAVLink

/// A flown track compared with its plan: the errors, and a chart of both.
package struct FlightComparison: Hashable, Sendable {
    /// Name of the vehicle; text from a bag or a profile.
    package var vehicle: String
    /// The plan, metres in `world_origin`.
    package var plan: Trajectory
    /// Route points of the plan, if known, metres in `world_origin`.
    package var points: [Vector3]
    /// Flown positions, metres in `world_origin`.
    package var flown: [TrackError.Flown]
    package var error: TrackError
    /// Notes for the user, one line each.
    package var notes: [String]
    /// Why the flight did not come to the end of the plan; `nil` if it did, or if that is not known.
    package var failure: String?

    /// Creates a comparison that was made during the flight.
    package init(
        vehicle: String, plan: Trajectory, points: [Vector3], flown: [TrackError.Flown], error: TrackError
    ) {
        self.vehicle = vehicle
        self.plan = plan
        self.points = points
        self.flown = flown
        self.error = error
        notes = []
    }

    /// Compares a flown track with a plan.
    ///
    /// - Parameter startSeconds: start of the plan on the clock of the flown positions.
    /// - Returns: `nil` if nothing was flown or planned.
    package init?(
        vehicle: String, plan: Trajectory, points: [Vector3] = [], flown: [TrackError.Flown], startSeconds: Double?,
        notes: [String] = []
    ) {
        guard let error = TrackError(plan: plan, flown: flown, startSeconds: startSeconds) else { return nil }
        self.vehicle = vehicle
        self.plan = plan
        self.points = points
        self.flown = flown
        self.error = error
        self.notes = notes
    }

    /// Compares a recorded flight with a plan, or with the trajectory that was sent to the vehicle.
    ///
    /// Only positions recorded while the vehicle followed a trajectory count, at the time along it that its tracker reported. If the bag
    /// does not have that, positions count from when the recorded trajectory was sent until its duration is over; with a given plan all
    /// positions count.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that says what is missing.
    package init(
        _ recorded: RecordedFlight, plan given: GeneratedTrajectory?, session: WorldSession?
    ) throws(LinkError) {
        let world = WorldPosition(session: session)
        func inWorld(_ position: Vector3, _ frame: FrameName) -> Vector3? {
            world.position(of: Pose(frame: frame, positionMetres: position, headingRadians: 0))
        }
        let recordedPlan = recorded.plans.last
        guard given != nil || recordedPlan != nil else {
            throw LinkError(
                .invalidInput, "the recording has no trajectory" + recorded.earlyEnd,
                hint: "give the plan with --plan FILE")
        }
        var plan = given?.trajectory ?? Trajectory(frame: .worldOrigin, points: [], timeStepSeconds: 0.2)
        if given == nil, let recordedPlan {
            plan = recordedPlan.trajectory
            plan.points = plan.points.compactMap { sample in
                inWorld(sample.position, recordedPlan.trajectory.frame).map {
                    .init(position: $0, headingRadians: sample.headingRadians)
                }
            }
            plan.frame = .worldOrigin
        }
        let duration = Double(max(0, plan.points.count - 1)) * plan.timeStepSeconds
        var notes: [String] = []
        if let cutOff = recorded.cutOff { notes.append("the recording is truncated: \(cutOff.sanitizedLine)") }
        if recorded.plans.count > 1, given == nil {
            notes.append("the recording has \(recorded.plans.count) trajectories; the last one is compared")
        }
        let parts = try Self.parts(recorded, duration, hasPlan: given != nil, &notes)
        let flown = parts.flatMap { (part) -> [TrackError.Flown] in
            let start = part.start(ofSeconds: duration)
            return recorded.positions.filter { part.interval.contains($0.seconds) }.compactMap { sample in
                inWorld(sample.position, recorded.frame).map {
                    TrackError.Flown(seconds: sample.seconds - start, position: $0)
                }
            }
        }
        let isTimed = parts.dropFirst().allSatisfy { $0.share != nil }
        if !isTimed {
            notes.append("the recording does not say where the trajectory was resumed: no error at the same time")
        }
        guard
            let made = Self(
                vehicle: recorded.vehicle, plan: plan, points: given?.points.map(\.position) ?? [], flown: flown,
                startSeconds: isTimed ? 0 : nil, notes: notes)
        else {
            throw LinkError(
                .invalidInput,
                flown.isEmpty
                    ? "no positions while a trajectory was followed, or they are in the unknown frame "
                        + "\(recorded.frame.description.sanitizedLine)"
                    : "the trajectory in the recording has no points in a known frame",
                hint: "give the world with --world FILE or --origin LAT,LON")
        }
        self = made
    }

    /// The intervals in which positions count.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` if the vehicle followed no trajectory.
    private static func parts(
        _ recorded: RecordedFlight, _ duration: Double, hasPlan: Bool, _ notes: inout [String]
    ) throws(LinkError) -> [RecordedFlight.Following] {
        let given = recorded.plans.last?.seconds
        let after = recorded.tracked.filter { hasPlan || $0.interval.upperBound >= given ?? -.infinity }
        if !after.isEmpty {
            if after.count > 1 { notes.append("the trajectory was followed in \(after.count) parts") }
            return after
        }
        guard !recorded.tellsFollowing else {
            throw LinkError(
                .invalidInput,
                "nothing was flown in the recording: the vehicle followed no trajectory"
                    + (recorded.tracked.isEmpty ? "" : " after the last one was sent") + recorded.earlyEnd,
                hint: "record 'trajectory start' or 'resume'")
        }
        notes.append("the recording does not say when the trajectory was followed: all positions are compared")
        guard let given, !hasPlan, let end = recorded.positions.last?.seconds, end > given else {
            let (first, last) = (recorded.positions.first?.seconds ?? 0, recorded.positions.last?.seconds ?? 0)
            return [.init(interval: first...max(first, last))]
        }
        return [.init(interval: given...max(given, min(end, given + duration)))]
    }

    // MARK: Telling

    /// JSON for scripts.
    package var json: JSONValue {
        [
            "ok": .bool(failure == nil),
            "vehicle": .string(vehicle),
            "plan_samples": JSONValue(plan.points.count),
            "plan_duration_s": .number(Double(max(0, plan.points.count - 1)) * plan.timeStepSeconds),
            "flown_positions": JSONValue(flown.count),
            "cross_track": error.crossTrack.json,
            "at_time": error.atTime?.json ?? .null,
            "notes": .array(notes.map { .string($0) }),
        ]
    }

    /// Text for the user.
    package var lines: [String] {
        var lines = [
            "\(vehicle.sanitizedLine): \(flown.count) positions against \(plan.points.count) samples",
            "cross-track error: \(error.crossTrack.words)",
        ]
        if let timed = error.atTime { lines.append("error to the planned position at the same time: \(timed.words)") }
        return lines + notes.map { "warning: " + $0 }
    }

    /// The chart in top view: metres, or degrees if a session is given.
    package func figure(in session: WorldSession? = nil) -> Figure {
        func place(_ position: Vector3) -> SIMD2<Double> {
            guard let session else { return SIMD2(position.x, position.y) }
            guard let place = try? session.geographic(xMetres: position.x, yMetres: position.y) else {
                return SIMD2(.nan, .nan)
            }
            return SIMD2(place.longitudeDegrees, place.latitudeDegrees)
        }
        var series = [
            Series("planned", Self.thinned(plan.points.map(\.position)).map(place), style: .dashed),
            Series("flown", Self.thinned(flown.map(\.position)).map(place)),
        ]
        if !points.isEmpty { series.append(Series("points", points.map(place), style: .marks)) }
        let figures = error.crossTrack
        return Figure(
            title:
                "\(vehicle.sanitizedLine): planned and flown, mean error \(figures.mean.formatted(decimals: 2)) m, "
                + "\(figures.p95.formatted(decimals: 2)) m at 95 %, \(figures.maximum.formatted(decimals: 2)) m at most",
            x: Axis(session == nil ? "east (m)" : "longitude (degrees)"),
            y: Axis(session == nil ? "north (m)" : "latitude (degrees)"), series: series,
            hasEqualAspect: session == nil)
    }

    /// At most 4000 positions, enough for any chart.
    private static func thinned(_ positions: [Vector3]) -> [Vector3] {
        let most = 4000
        guard positions.count > most else { return positions }
        return (0..<most).map { positions[$0 * (positions.count - 1) / (most - 1)] }
    }
}
