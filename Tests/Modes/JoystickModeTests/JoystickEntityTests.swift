import FlightControl
import JoystickMode
import Testing
import UAVLink
import UAVTestKit

@Suite("Sticks, shaping and slew")
struct JoystickEntityTests {
    @Test("each layout gives back what it was given, and mode 2 is the seed's", arguments: StickLayout.allCases)
    func layouts(_ layout: StickLayout) {
        let requested = Deflection(turn: 0.1, climb: -0.2, right: 0.3, forward: -0.4)
        #expect(layout.deflection(of: layout.position(of: requested)) == requested)
        let sticks = layout.position(of: requested)
        switch layout {
        case .mode1: #expect(sticks == StickPosition(leftX: 0.1, leftY: -0.4, rightX: 0.3, rightY: -0.2))
        case .mode2: #expect(sticks == StickPosition(leftX: 0.1, leftY: -0.2, rightX: 0.3, rightY: -0.4))
        case .mode3: #expect(sticks == StickPosition(leftX: 0.3, leftY: -0.4, rightX: 0.1, rightY: -0.2))
        case .mode4: #expect(sticks == StickPosition(leftX: 0.3, leftY: -0.2, rightX: 0.1, rightY: -0.4))
        }
    }

    @Test("what is no number is the middle, what is too much is full")
    func cuts() {
        #expect(
            StickPosition(leftX: .nan, leftY: .infinity, rightX: 7, rightY: -7) == StickPosition(rightX: 1, rightY: -1))
        #expect(Deflection(turn: -.infinity, climb: 2) == Deflection(climb: 1))
    }

    @Test("the dead zone is nothing, full stick is full, between them it only grows")
    func curve() {
        let shaping = StickShaping(deadZone: 0.1, expo: 0.5)
        #expect(shaping.shaped(0.1) == 0)
        #expect(shaping.shaped(-0.1) == 0)
        #expect(shaping.shaped(1) == 1)
        #expect(shaping.shaped(-1) == -1)
        var last = 0.0
        for step in 0...1000 {
            let value = shaping.shaped(Double(step) / 1000)
            #expect(value >= last)
            // No jump anywhere: the curve's steepest rise is under 2.3.
            #expect(value - last < 0.0025)
            last = value
        }
    }

    @Test("sticks have the right signs, and the corner is no faster than the edge")
    func motion() {
        let shaping = StickShaping(deadZone: 0, expo: 0)
        let all = shaping.motion(Deflection(turn: 1, climb: -1, right: 1, forward: 1))
        let velocity = all.velocityMetresPerSecond
        #expect(velocity.x > 0)
        #expect(velocity.y < 0)
        #expect(velocity.z == -1)
        #expect(all.headingRateRadiansPerSecond == -Heading.radians(degrees: 45))
        #expect(abs((velocity.x * velocity.x + velocity.y * velocity.y).squareRoot() - 2) < 1e-12)
    }

    @Test("speed limits go in steps and end at what the vehicle can")
    func limits() {
        #expect(SpeedLimits.defaultLimits.horizontalMetresPerSecond == 2)
        var limits = SpeedLimits.defaultLimits
        for _ in 0..<20 { limits = limits.stepped(1) }
        #expect(limits.horizontalMetresPerSecond == 4)
        #expect(limits.turningRadiansPerSecond <= 1)
        for _ in 0..<20 { limits = limits.stepped(-1) }
        #expect(limits.horizontalMetresPerSecond == 0.5)
    }

    private func motion(_ x: Double, _ y: Double = 0, _ z: Double = 0, turn: Double = 0) -> Motion {
        Motion(velocityMetresPerSecond: Vector3(x: x, y: y, z: z), headingRateRadiansPerSecond: turn)
    }

    @Test("speeding up takes its time, letting go takes less")
    func slew() {
        var limiter = SlewLimiter()
        var steps = 0
        while limiter.motion != motion(2, 0, 1, turn: 0.75) {
            _ = limiter.step(toward: motion(2, 0, 1, turn: 0.75), seconds: 0.01)
            steps += 1
            #expect(limiter.motion.velocityMetresPerSecond.x <= 0.02 * Double(steps) + 1e-9)
        }
        // 2 m/s at 2 m/s2, 1 m/s at 1 m/s2, 0.75 rad/s at 1.5 rad/s2.
        #expect((100...101).contains(steps))
        steps = 0
        while !limiter.isAtRest {
            _ = limiter.step(toward: .none, seconds: 0.01)
            steps += 1
        }
        #expect((50...51).contains(steps))
    }

    @Test("a stick thrown over brakes to rest first, then speeds up")
    func reversal() {
        var limiter = SlewLimiter()
        for _ in 0..<100 { _ = limiter.step(toward: motion(2, turn: 0.6), seconds: 0.01) }
        var last = limiter.motion
        for _ in 0..<200 {
            let next = limiter.step(toward: motion(-2, turn: -0.6), seconds: 0.01)
            let change = (next.velocityMetresPerSecond - last.velocityMetresPerSecond).length
            #expect(change <= (last.velocityMetresPerSecond.x > 1e-9 ? 0.04 : 0.02) + 1e-9)
            #expect(abs(next.headingRateRadiansPerSecond - last.headingRateRadiansPerSecond) <= 0.03 + 1e-9)
            last = next
        }
        #expect(last == motion(-2, turn: -0.6))
    }

    @Test("a diagonal stays straight, and a stall makes no jump")
    func diagonal() {
        var limiter = SlewLimiter()
        for _ in 0..<50 {
            let v = limiter.step(toward: motion(1, 0.5), seconds: 0.01).velocityMetresPerSecond
            #expect(abs(v.y - v.x / 2) < 1e-9)
        }
        limiter.reset()
        let after = limiter.step(toward: motion(4), seconds: 60).velocityMetresPerSecond.x
        #expect(abs(after - 0.2) < 1e-9)
        #expect(limiter.step(toward: motion(4), seconds: -1).velocityMetresPerSecond.x == after)
        #expect(limiter.step(toward: motion(4), seconds: .nan).velocityMetresPerSecond.x == after)
    }

    @Test("the prediction follows the velocity, and the command within the acceleration")
    func prediction() throws {
        let now = MonotonicTime(nanoseconds: 10_000_000_000)
        var telemetry = Telemetry(vehicle: "uav1")
        #expect(Prediction(telemetry, commanded: nil, now: now) == nil)
        let pose = Pose(frame: .worldOrigin, positionMetres: Vector3(x: 1, y: 2, z: 3), headingRadians: 0)
        telemetry.pose = Sample(pose, at: now - .seconds(1))
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 2, y: 0, z: 0), at: now - .seconds(1))
        let coasting = try #require(Prediction(telemetry, commanded: nil, now: now))
        #expect(coasting.positionMetres == Vector3(x: 3, y: 2, z: 3))
        // Braking at 2 m/s2 from 2 m/s takes the second: 1 m.
        let braking = try #require(Prediction(telemetry, commanded: .zero, acceleration: 2, now: now))
        #expect(abs(braking.positionMetres.x - 2) < 1e-12)
        // At 4 m/s2 half a second and half a metre, then it stands.
        let harder = try #require(Prediction(telemetry, commanded: .zero, acceleration: 4, now: now))
        #expect(abs(harder.positionMetres.x - 1.5) < 1e-12)
        #expect(Prediction(telemetry, commanded: nil, now: now + .seconds(5)) == nil)
    }

    @Test("a rate is that of the last three seconds, and begins anew when its counter does")
    func rates() {
        var meter = RateMeter()
        var now = MonotonicTime(nanoseconds: 1)
        #expect(meter.hertz == nil)
        for count in 0..<200 {
            meter.look(UInt64(count), at: now)
            now = now + .milliseconds(50)
        }
        #expect(abs((meter.hertz ?? 0) - 20) < 1e-6)
        for _ in 0..<100 {
            meter.look(199, at: now)
            now = now + .milliseconds(50)
        }
        #expect(meter.hertz == 0)
        meter.look(3, at: now)
        #expect(meter.hertz == nil)
    }
}
