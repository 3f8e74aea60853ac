package import FlightControl
internal import Synchronization
package import UAVLink

/// Shared state of the screen and the steering thread: the main actor writes input and settings, the thread computes every
/// setpoint from them, and neither waits for the other's work.
///
/// The main actor calls ``beat(at:)`` as a heartbeat. When the heartbeat stops, the user can neither see nor stop the vehicle,
/// so setpoints become neutral, and then end.
package final class SetpointGenerator: Sendable {
    /// Timeouts of the heartbeat. Its period is 50 ms, so 300 ms are five missed beats; a user whose screen freezes for a second
    /// has lost sight of the vehicle.
    package enum Watch {
        /// After this time without a heartbeat, setpoints are neutral, until the sticks have been centred.
        package static let neutralAfter: Duration = .milliseconds(300)
        /// After this time without a heartbeat, the run ends.
        package static let endAfter: Duration = .seconds(1)
    }

    /// The last output of the thread, for the screen.
    package struct Output: Hashable, Sendable {
        /// The deflection of the sticks, before dead zone and curve.
        package var requested = Deflection.neutral
        /// The motion sent.
        package var motion = Motion.none
        /// The frame of the motion.
        package var frame = VelocitySetpoint.Frame.body
        /// The screen had hung: the sticks are ignored until they are centred.
        package var mustCentre = false
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
        /// When the first key was read that no setpoint has followed yet.
        var keyReadAt: MonotonicTime?
        /// Of the keys since they were last taken, with room for all: nothing is allocated for a setpoint.
        var keyDelays = [Duration](reservingCapacity: SetpointGenerator.keysAtMost)
    }

    /// As many as are pressed and released between two ticks of the screen.
    private static let keysAtMost = 32

    private let state: Mutex<State>
    private let validFor: Duration
    private let clock: any MonotonicClock

    /// The state at the start of a run, without motion.
    ///
    /// - Parameters:
    ///   - validFor: the validity of each setpoint.
    ///   - clock: when a key's setpoint is computed.
    package init(
        source: any StickSource, shaping: StickShaping, frame: VelocitySetpoint.Frame,
        slew: SlewLimiter.Limits = .init(), validFor: Duration = .milliseconds(200),
        clock: any MonotonicClock = SystemMonotonicClock(), now: MonotonicTime
    ) {
        self.validFor = validFor
        self.clock = clock
        var output = Output()
        output.frame = frame
        state = Mutex(
            State(
                source: source, shaping: shaping, frame: frame, limiter: SlewLimiter(slew), beat: now, output: output))
    }

    /// Sets the stick source, or its changed keys.
    ///
    /// - Parameter readAt: when the bytes of the key that changes them were read.
    package func set(_ source: any StickSource, readAt: MonotonicTime? = nil) {
        state.withLock { state in
            state.source = source
            state.keyReadAt = state.keyReadAt ?? readAt
        }
    }

    /// Sets the shaping; the motion decelerates to a lower speed limit.
    package func set(_ shaping: StickShaping) { state.withLock { $0.shaping = shaping } }

    /// Sets the frame; applied once the commanded motion is zero, so that no motion changes direction by itself.
    package func set(_ frame: VelocitySetpoint.Frame) { state.withLock { $0.frame = frame } }

    /// Records a heartbeat of the main actor.
    package func beat(at now: MonotonicTime) { state.withLock { $0.beat = max($0.beat, now) } }

    /// Ends the run: no further setpoint. The first reason is kept.
    package func end(_ reason: StopReason) {
        state.withLock { if $0.ending == nil { $0.ending = reason } }
    }

    /// Begins the ramp anew from rest: what was computed so far was not sent.
    package func restartRamp() { state.withLock { $0.limiter.reset() } }

    /// Whether any setpoint was computed.
    package var hasSteered: Bool { state.withLock { $0.lastDue != nil } }

    /// Whether setpoints are sent and no reason to end was given.
    package var isSteering: Bool { state.withLock { $0.lastDue != nil && $0.ending == nil } }

    /// Why the run ended or is ending; `nil` while it runs.
    package var ending: StopReason? { state.withLock { $0.ending } }

    /// The last output of the thread.
    package var output: Output { state.withLock { $0.output } }

    /// How long keys have taken from the terminal to their setpoint, since this was called last.
    package func takeKeyDelays() -> [Duration] {
        state.withLock { state in
            guard !state.keyDelays.isEmpty else { return [] }
            defer { state.keyDelays.removeAll(keepingCapacity: true) }
            return state.keyDelays
        }
    }

    /// The setpoint for an instant; `nil` ends the run.
    package func setpoint(at due: MonotonicTime) -> VelocitySetpoint? {
        state.withLock { state in
            guard state.ending == nil else { return nil }
            let silence = due - state.beat
            guard silence <= Watch.endAfter else {
                state.ending = .frontEndStalled(silence)
                return nil
            }
            switch state.source.reading(at: due) {
            case .stop(let reason):
                state.ending = reason
                return nil
            case .deflection(let requested):
                let isAlive = silence <= Watch.neutralAfter
                // The screen hangs: ask for standstill without a ramp, so that the vehicle brakes as hard as it may.
                if !isAlive {
                    state.output.mustCentre = true
                    state.limiter.reset()
                } else if state.shaping.nonNeutralAxes(of: requested).isEmpty {
                    state.output.mustCentre = false
                }
                state.output.requested = state.output.mustCentre ? .neutral : requested
            }
            let seconds = state.lastDue.map { (due - $0).inSeconds } ?? 0
            state.lastDue = due
            var wanted = state.shaping.motion(state.output.requested)
            if state.frame != state.output.frame {
                if state.limiter.isAtRest { state.output.frame = state.frame } else { wanted = .none }
            }
            let motion = state.limiter.step(toward: wanted, seconds: seconds)
            state.output.motion = motion
            if let readAt = state.keyReadAt.take(), state.keyDelays.count < Self.keysAtMost {
                state.keyDelays.append(clock.now - readAt)
            }
            return VelocitySetpoint(
                velocityMetresPerSecond: motion.velocityMetresPerSecond,
                headingRateRadiansPerSecond: motion.headingRateRadiansPerSecond, frame: state.output.frame,
                intendedAt: due, validFor: validFor)
        }
    }
}

extension [Duration] {
    fileprivate init(reservingCapacity count: Int) {
        self = []
        reserveCapacity(count)
    }
}
