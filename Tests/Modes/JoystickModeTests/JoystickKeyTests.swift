import FlightControl
import JoystickMode
import Testing
import UAVLink
import UAVTestKit

@Suite("The keyboard as sticks")
struct JoystickKeyTests {
    private let clock = FakeClock()
    private let forward = StickKey("w", .forward)

    @Test("several keys are held at once, each by itself")
    func held() {
        var keys = HeldKeys()
        keys.press(forward)
        keys.press(StickKey("k", .forward))
        keys.press(StickKey("q", .turnLeft))
        #expect(keys.reading(at: clock.now).deflection == Deflection(turn: -1, forward: 1))
        keys.release(forward)
        #expect(keys.reading(at: clock.now).deflection == Deflection(turn: -1, forward: 1))
        keys.press(StickKey("s", .back))
        #expect(keys.reading(at: clock.now).deflection == Deflection(turn: -1))
        keys.release(StickKey("k", .forward))
        keys.release(StickKey("q", .turnLeft))
        #expect(keys.reading(at: clock.now).deflection == Deflection(forward: -1))
        keys.releaseAll()
        #expect(keys.reading(at: clock.now).deflection == .neutral)
    }

    @Test("a key that repeated and stopped counts as let go of, and its repetitions bring nothing back")
    func silence() {
        var keys = HeldKeys()
        keys.press(forward)
        clock.advance(by: .seconds(5))
        // Without a repetition seen, silence says nothing: not every keyboard repeats.
        #expect(keys.reading(at: clock.now).deflection.forward == 1)
        keys.repeats(forward, at: clock.now)
        clock.advance(by: HeldKeys.repeatTimeout)
        #expect(keys.reading(at: clock.now).deflection.forward == 1)
        clock.advance(by: .nanoseconds(1))
        #expect(keys.reading(at: clock.now).deflection == .neutral)
        keys.repeats(forward, at: clock.now)
        #expect(keys.reading(at: clock.now).deflection == .neutral)
        keys.press(forward)
        #expect(keys.reading(at: clock.now).deflection.forward == 1)
    }

    @Test("the first key does not repeat while another does, and stays held")
    func oneRepeats() {
        var keys = HeldKeys()
        keys.press(forward)
        keys.repeats(forward, at: clock.now)
        keys.press(StickKey("d", .right))
        clock.advance(by: .seconds(2))
        #expect(keys.reading(at: clock.now).deflection == Deflection(right: 1, forward: 1))
        keys.release(StickKey("d", .right))
        clock.advance(by: .seconds(2))
        #expect(keys.reading(at: clock.now).deflection == Deflection(forward: 1))
        // The same for keys that move nothing, such as + for the speed.
        keys.repeats(forward, at: clock.now)
        keys.otherKey()
        clock.advance(by: .seconds(2))
        #expect(keys.reading(at: clock.now).deflection == Deflection(forward: 1))
    }

    /// How far full sticks of these readings take the vehicle, with the slew limiter at 100 Hz, until it stands.
    private func way(
        _ keys: inout StepKeys, _ shaping: StickShaping, from start: SlewLimiter = SlewLimiter()
    ) -> (metres: Vector3, radians: Double) {
        var limiter = start
        var metres = Vector3.zero
        var radians = 0.0
        for _ in 0..<2000 {
            let motion = limiter.step(toward: shaping.motion(keys.reading(at: clock.now).deflection), seconds: 0.01)
            metres = metres + motion.velocityMetresPerSecond * 0.01
            radians += motion.headingRateRadiansPerSecond * 0.01
            clock.advance(by: .milliseconds(10))
        }
        return (metres, radians)
    }

    @Test("a press is one step at any speed limit, then it stands", arguments: SpeedLimits.choices)
    func step(_ limits: SpeedLimits) {
        let shaping = StickShaping(limits: limits)
        var keys = StepKeys(limits: limits)
        keys.press(.forward, at: clock.now)
        #expect(keys.reading(at: clock.now) != .deflection(.neutral))
        #expect(abs(way(&keys, shaping).metres.x - 0.5) < 0.03)
        #expect(keys.reading(at: clock.now) == .deflection(.neutral))
        keys.press(.climb, at: clock.now)
        #expect(abs(way(&keys, shaping).metres.z - 0.25) < 0.02)
        keys.press(.turnLeft, at: clock.now)
        #expect(abs(way(&keys, shaping).radians - Heading.radians(degrees: 15)) < Heading.radians(degrees: 1.5))
    }

    @Test(
        "a held key flies on, at any speed limit never more than a step from standing", arguments: SpeedLimits.choices)
    func repeating(_ limits: SpeedLimits) {
        let shaping = StickShaping(limits: limits)
        var keys = StepKeys(limits: limits)
        var limiter = SlewLimiter()
        var flown = 0.0
        // As a keyboard does it: at once, after half a second, then 30 times a second, and all of it twice.
        for step in 0...300 {
            if step == 0 || (step >= 50 && step % 3 == 0) {
                keys.press(.forward, at: clock.now)
                keys.press(.forward, at: clock.now)
            }
            let motion = limiter.step(toward: shaping.motion(keys.reading(at: clock.now).deflection), seconds: 0.01)
            flown += motion.velocityMetresPerSecond.x * 0.01
            clock.advance(by: .milliseconds(10))
        }
        // It flies on, not in jerks: at the speed limit, or where stopping takes nearly a step.
        #expect(flown > min(limits.horizontalMetresPerSecond, 1.5) * 2)
        #expect(limiter.motion.velocityMetresPerSecond.x > min(limits.horizontalMetresPerSecond, 1.5) * 0.9)
        // Setpoints come every 10 ms: at 2 m/s each end of the path is reported up to 2 cm late, and again by rounding.
        #expect(way(&keys, shaping, from: limiter).metres.x < 0.5 + 0.06)
    }

    @Test("the opposite key ends the step and begins none")
    func opposite() {
        var keys = StepKeys(limits: .defaultLimits)
        keys.press(.forward, at: clock.now)
        keys.press(.back, at: clock.now)
        #expect(keys.reading(at: clock.now).deflection == .neutral)
        keys.press(.back, at: clock.now)
        #expect(keys.reading(at: clock.now).deflection == Deflection(forward: -1))
        keys.press(.left, at: clock.now)
        #expect(keys.reading(at: clock.now).deflection == Deflection(right: -1, forward: -1))
        keys.cancel()
        #expect(keys.reading(at: clock.now).deflection == .neutral)
    }
}
