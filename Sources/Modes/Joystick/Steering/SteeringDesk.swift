public import FlightControl
internal import Synchronization
public import UAVLink

/// Where keys, sticks and settings meet the steering thread: the screen's side writes when something happens, the thread
/// reads for every setpoint, and neither waits for the other's work.
///
/// The screen's side shows that it lives by ``beat(at:)``. When it hangs, the person sees nothing and stops nothing, so the
/// setpoints become neutral, and then end.
public final class SteeringDesk: Sendable {
    /// Constants of the watch over the screen's side. It beats every 50 ms, so 300 ms are five beats missed; a person who
    /// sees nothing move for a second has lost the vehicle.
    public enum Watch {
        /// Without a beat for longer, setpoints are neutral.
        public static let neutralAfter: Duration = .milliseconds(300)
        /// Without a beat for longer, the run ends.
        public static let endAfter: Duration = .seconds(1)
    }

    /// What the thread did last: for the screen.
    public struct Output: Hashable, Sendable {
        /// What the sticks asked for, before dead zone and curve.
        public var wish = Deflection.neutral
        /// What was sent.
        public var motion = Motion.none
        /// Its axes.
        public var frame = VelocitySetpoint.Frame.body
    }

    private struct State {
        var source: any StickSource
        var shaping: StickShaping
        var frame: VelocitySetpoint.Frame
        var limiter: SlewLimiter
        var lastDue: MonotonicTime?
        var beat: MonotonicTime
        var ending: StopReason?
        var output = Output()
    }

    private let state: Mutex<State>
    private let validFor: Duration

    /// A desk at which nothing moves yet.
    ///
    /// - Parameter validFor: how long each setpoint is good for.
    public init(
        source: any StickSource, shaping: StickShaping, frame: VelocitySetpoint.Frame,
        slew: SlewLimiter.Limits = .init(), validFor: Duration = .milliseconds(200), now: MonotonicTime
    ) {
        self.validFor = validFor
        var output = Output()
        output.frame = frame
        state = Mutex(
            State(
                source: source, shaping: shaping, frame: frame, limiter: SlewLimiter(slew), beat: now, output: output))
    }

    /// Other sticks, or others keys held.
    public func set(_ source: any StickSource) { state.withLock { $0.source = source } }

    /// Another shaping; a lower speed limit is braked to.
    public func set(_ shaping: StickShaping) { state.withLock { $0.shaping = shaping } }

    /// Other axes: used as soon as the vehicle is asked to stand still, so that no motion changes its direction by itself.
    public func set(_ frame: VelocitySetpoint.Frame) { state.withLock { $0.frame = frame } }

    /// The screen's side lives.
    public func beat(at now: MonotonicTime) { state.withLock { $0.beat = max($0.beat, now) } }

    /// Ends the run: no further setpoint. The first reason stays.
    public func end(_ reason: StopReason) {
        state.withLock { if $0.ending == nil { $0.ending = reason } }
    }

    /// Why the run ended, or is about to.
    public var ending: StopReason? { state.withLock { $0.ending } }

    /// What the thread did last.
    public var output: Output { state.withLock { $0.output } }

    /// The setpoint for an instant; `nil` ends the run.
    public func setpoint(at due: MonotonicTime) -> VelocitySetpoint? {
        state.withLock { state in
            guard state.ending == nil else { return nil }
            let silence = due - state.beat
            guard silence <= Watch.endAfter else {
                state.ending = .stoodStill(silence)
                return nil
            }
            switch state.source.reading(at: due) {
            case .stop(let reason):
                state.ending = reason
                return nil
            case .deflection(let wish):
                let isAlive = silence <= Watch.neutralAfter
                state.output.wish = isAlive ? wish : .neutral
                return Self.setpoint(&state, isAlive: isAlive, due: due, validFor: validFor)
            }
        }
    }

    private static func setpoint(
        _ state: inout State, isAlive: Bool, due: MonotonicTime, validFor: Duration
    ) -> VelocitySetpoint {
        let seconds = state.lastDue.map { (due - $0).inSeconds } ?? 0
        state.lastDue = due
        var wanted = state.shaping.motion(state.output.wish)
        // Nobody looks: stand still at once, the vehicle brakes as hard as it may.
        if !isAlive { state.limiter.reset() }
        if state.frame != state.output.frame {
            if state.limiter.isAtRest { state.output.frame = state.frame } else { wanted = .none }
        }
        let motion = state.limiter.step(toward: wanted, seconds: seconds)
        state.output.motion = motion
        return VelocitySetpoint(
            velocityMetresPerSecond: motion.velocityMetresPerSecond,
            headingRateRadiansPerSecond: motion.headingRateRadiansPerSecond, frame: state.output.frame,
            intendedAt: due, validFor: validFor)
    }
}
