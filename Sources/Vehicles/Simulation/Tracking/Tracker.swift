internal import UAVLink

/// Turns goals, velocities and trajectories into motion within the limits, at 100 Hz.
///
/// It stands for the real stack's MpcTracker (and, with other limits, LandoffTracker): the controller follows its
/// output. Everything is in the control frame.
struct Tracker: Hashable, Sendable {
    /// The current task.
    enum Task: Hashable, Sendable {
        /// Stop, then hold that position.
        case stop
        /// Fly to the goal and hold there.
        case goal
        /// Fly at a velocity until the time is over.
        case velocity(VelocityReference, until: Double)
        /// Follow the loaded trajectory.
        case trajectory
    }

    /// Times and tolerances of the real tracker.
    enum Timing {
        /// Seconds from one update to the next: its loop runs at 100 Hz.
        static let step = 0.01
        /// Seconds after which a velocity reference expires: a constant in its code.
        static let velocityTimeout = 0.5
        /// Seconds from an accepted goal to the first motion: measured 0.25, of which 0.05 are due to the limits.
        static let goalDelay = 0.2
        /// Metres and m/s within which a goal counts as reached.
        static let arrival = 0.08
        static let arrivalSpeed = 0.15
        /// Radians within which a heading counts as reached.
        static let arrivalHeading = 0.03
        /// m/s below which it holds its position instead of braking.
        static let standstill = 0.02
    }

    private(set) var plane: PlaneMotion
    private(set) var height: LineMotion
    private(set) var heading: LineMotion
    private(set) var task: Task = .stop
    private(set) var goal: Trajectory.Point
    private(set) var hasGoal = false
    var trajectory: LoadedTrajectory?
    private var pending: Pending?

    /// A goal that the solver has not accepted yet.
    private struct Pending: Hashable, Sendable {
        var point: Trajectory.Point
        var at: Double
    }

    /// Starts at a position, without motion.
    init(position: Vector3, headingRadians: Double) {
        plane = PlaneMotion(position: SIMD2(position.x, position.y))
        height = LineMotion(position: position.z)
        heading = LineMotion(position: headingRadians)
        goal = Trajectory.Point(position: position, headingRadians: headingRadians)
    }

    var position: Vector3 { Vector3(x: plane.position.x, y: plane.position.y, z: height.position) }
    var velocity: Vector3 { Vector3(x: plane.velocity.x, y: plane.velocity.y, z: height.velocity) }
    var acceleration: Vector3 {
        Vector3(x: plane.acceleration.x, y: plane.acceleration.y, z: height.acceleration)
    }
    var headingRadians: Double { Heading.wrapped(heading.position) }
    var headingRate: Double { heading.velocity }
    var isTrackingTrajectory: Bool { task == .trajectory }
    /// Whether no goal is waiting for the solver.
    var isIdle: Bool { pending == nil }

    /// Flies to a point; motion begins after the solver's delay.
    mutating func go(to point: Trajectory.Point, now: Double) {
        pending = Pending(point: point, at: now + Timing.goalDelay)
    }

    /// Flies to a point from the next update on.
    mutating func goImmediately(to point: Trajectory.Point) {
        pending = nil
        take(goal: point)
    }

    mutating func stop() {
        pending = nil
        task = .stop
        hasGoal = true
    }

    /// Flies at a velocity; `validSeconds` can only shorten the tracker's own timeout.
    mutating func fly(_ reference: VelocityReference, now: Double, validSeconds: Double) {
        pending = nil
        task = .velocity(reference, until: now + min(validSeconds, Timing.velocityTimeout))
        hasGoal = true
    }

    mutating func startTrajectory(fromBeginning: Bool) {
        guard trajectory != nil else { return }
        if fromBeginning { trajectory?.rewind() }
        pending = nil
        task = .trajectory
        hasGoal = true
    }

    /// One update.
    mutating func step(
        now: Double, horizontal: MotionLimits.Limits, up: MotionLimits.Limits, down: MotionLimits.Limits,
        turning: MotionLimits.Limits
    ) {
        if let waiting = pending, now >= waiting.at {
            pending = nil
            take(goal: waiting.point)
        }
        if case .velocity(_, let until) = task, now >= until { task = .stop }
        let seconds = Timing.step
        switch task {
        case .stop:
            plane.step(towards: .zero, limits: horizontal, seconds: seconds)
            height.step(towards: 0, up: up, down: down, seconds: seconds)
            heading.step(towards: 0, up: turning, down: turning, seconds: seconds)
            if plane.velocity.length < Timing.standstill, abs(height.velocity) < Timing.standstill,
                abs(heading.velocity) < Timing.standstill
            {
                take(goal: Trajectory.Point(position: position, headingRadians: heading.position))
                hasGoal = false
            }
        case .goal:
            move(
                to: LoadedTrajectory.Target(point: goal), horizontal: horizontal, up: up, down: down, turning: turning)
            hasGoal = hasGoal && !hasArrived
        case .velocity(let reference, _):
            fly(reference, horizontal: horizontal, up: up, down: down, turning: turning)
        case .trajectory:
            guard var target = trajectory?.target else { return stop() }
            if trajectory?.usesHeading != true { target.point.headingRadians = goal.headingRadians }
            move(to: target, horizontal: horizontal, up: up, down: down, turning: turning)
            trajectory?.advance(seconds: seconds)
            if trajectory?.isFinished == true { take(goal: target.point) }
        }
    }

    private var hasArrived: Bool {
        (goal.position - position).length < Timing.arrival && velocity.length < Timing.arrivalSpeed
            && abs(Heading.wrapped(goal.headingRadians - heading.position)) < Timing.arrivalHeading
    }

    private mutating func take(goal point: Trajectory.Point) {
        goal = point
        task = .goal
        hasGoal = true
    }

    private mutating func move(
        to target: LoadedTrajectory.Target, horizontal: MotionLimits.Limits, up: MotionLimits.Limits,
        down: MotionLimits.Limits, turning: MotionLimits.Limits
    ) {
        let seconds = Timing.step
        let (place, velocity, bend) = (target.point.position, target.velocity, target.acceleration)
        plane.step(
            to: SIMD2(place.x, place.y), feedforward: SIMD2(velocity.x, velocity.y), bend: SIMD2(bend.x, bend.y),
            limits: horizontal, seconds: seconds)
        height.step(to: place.z, feedforward: velocity.z, bend: bend.z, up: up, down: down, seconds: seconds)
        turn(to: target.point.headingRadians, turning)
    }

    private mutating func turn(to headingRadians: Double, _ limits: MotionLimits.Limits) {
        // The heading is not wrapped; the shorter turn is taken.
        let target = heading.position + Heading.wrapped(headingRadians - heading.position)
        heading.step(to: target, up: limits, down: limits, seconds: Timing.step)
        if abs(heading.position) > 64 * .pi { heading.position = Heading.wrapped(heading.position) }
    }

    private mutating func fly(
        _ reference: VelocityReference, horizontal: MotionLimits.Limits, up: MotionLimits.Limits,
        down: MotionLimits.Limits, turning: MotionLimits.Limits
    ) {
        let seconds = Timing.step
        plane.step(
            towards: SIMD2(reference.velocity.x, reference.velocity.y), limits: horizontal, seconds: seconds)
        if let altitude = reference.altitudeMetres {
            height.step(to: altitude, up: up, down: down, seconds: seconds)
        } else {
            height.step(towards: reference.velocity.z, up: up, down: down, seconds: seconds)
        }
        if let wanted = reference.headingRadians {
            turn(to: wanted, turning)
        } else {
            heading.step(towards: reference.headingRate ?? 0, up: turning, down: turning, seconds: seconds)
            if abs(heading.position) > 64 * .pi { heading.position = Heading.wrapped(heading.position) }
        }
    }
}
