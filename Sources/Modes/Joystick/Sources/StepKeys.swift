package import FlightControl
package import UAVLink

/// Keys on a terminal that does not report key releases: each press moves one step, which ends by itself.
///
/// A press during its own step (a held key's repetition looks the same) extends the remaining distance to one full step, never
/// more: regardless of how fast keys repeat, or how late the terminal delivers them, the vehicle is at most one step from
/// standstill. The opposite key ends the step.
package struct StepKeys: StickSource, Hashable {
    package struct Lengths: Hashable, Sendable {
        /// Forward, back, left, right; metres.
        package var horizontalMetres = 0.5
        /// Up and down; metres.
        package var verticalMetres = 0.25
        /// Turning; radians.
        package var turnRadians = Heading.radians(degrees: 15)

        /// The defaults: 0.5 m, 0.25 m vertically, 15 degrees.
        package init() {}
    }

    private let lengths: Lengths
    private var limits: SpeedLimits
    private let slew: SlewLimiter.Limits
    private var steps: [StickKey.Move: Step] = [:]

    /// A step: its start, the speed at its start, and when the deflection ends.
    private struct Step: Hashable {
        var begin: MonotonicTime
        var speed: Double
        var end: MonotonicTime
    }

    /// No step in progress.
    package init(limits: SpeedLimits, slew: SlewLimiter.Limits = .init(), lengths: Lengths = .init()) {
        self.limits = limits
        self.slew = slew
        self.lengths = lengths
    }

    /// Sets the speed limits of steps; steps in progress keep their end.
    package mutating func set(_ limits: SpeedLimits) { self.limits = limits }

    /// A key was pressed, or repeats.
    package mutating func press(_ move: StickKey.Move, at now: MonotonicTime) {
        if let opposite = steps[move.opposite], opposite.end > now {
            steps[move.opposite]?.end = now
            return
        }
        let dynamics = dynamics(of: move)
        let speed = steps[move].map { dynamics.speed(begin: $0.speed, held: $0.end - $0.begin, after: now - $0.begin) }
        let hold = dynamics.hold(from: speed ?? 0)
        steps[move] = Step(begin: now, speed: speed ?? 0, end: now + hold)
    }

    /// Ends every step.
    package mutating func cancel() { steps = [:] }

    /// See ``StickSource/reading(at:)``.
    package func reading(at now: MonotonicTime) -> StickReading {
        .deflection(
            steps.reduce(.neutral) { sum, step in step.value.end > now ? sum + step.key.deflection : sum })
    }

    private func dynamics(of move: StickKey.Move) -> StepDynamics {
        switch move {
        case .forward, .back, .left, .right:
            StepDynamics(
                length: lengths.horizontalMetres, limit: limits.horizontalMetresPerSecond,
                acceleration: slew.horizontalAcceleration, braking: slew.horizontalBraking)
        case .climb, .descend:
            StepDynamics(
                length: lengths.verticalMetres, limit: limits.verticalMetresPerSecond,
                acceleration: slew.verticalAcceleration, braking: slew.verticalBraking)
        case .turnLeft, .turnRight:
            StepDynamics(
                length: lengths.turnRadians, limit: limits.turningRadiansPerSecond,
                acceleration: slew.turningAcceleration, braking: slew.turningBraking)
        }
    }
}
