import Testing
import UAVLink

@testable import Simulation

/// The tracker keeps its limits whatever it is asked for.
@Suite struct LimitTests {
    /// Follows the tracker's own output and complains about the first excess.
    struct Watch {
        var last: VehicleSnapshot
        let set: Constraints
        let step = Tracker.Timing.step

        mutating func look(_ now: VehicleSnapshot) -> String? {
            defer { last = now }
            let (v, a) = (now.referenceVelocity, now.referenceAcceleration)
            let change = (a - last.referenceAcceleration) * (1 / step)
            func flat(_ v: Vector3) -> Double { (v.x * v.x + v.y * v.y).squareRoot() }
            let slack = 1e-6
            if flat(v) > set.limits.horizontal.speed + slack { return "horizontal speed \(flat(v))" }
            if flat(a) > set.limits.horizontal.acceleration + slack { return "horizontal acceleration \(flat(a))" }
            if flat(change) > set.limits.horizontal.jerk + slack { return "horizontal jerk \(flat(change))" }
            if v.z > set.limits.ascending.speed + slack || v.z < -set.limits.descending.speed - slack {
                return "climb \(v.z)"
            }
            if abs(a.z) > set.limits.ascending.acceleration + slack { return "vertical acceleration \(a.z)" }
            if abs(change.z) > set.limits.ascending.jerk + slack { return "vertical jerk \(change.z)" }
            if ![v.x, a.x, now.truePosition.x, now.truePosition.z].allSatisfy(\.isFinite) { return "not finite" }
            return nil
        }
    }

    @Test(arguments: [("slow", 1), ("medium", 2), ("fast", 3), ("medium", 4), ("fast", 5)] as [(String, UInt64)])
    func `whatever it is commanded at random, no limit is exceeded`(_ name: String, seed: UInt64) throws {
        let flight = try Flight(seed: seed) { $0.constraints = name }
        var chance = NoiseSource(seed: seed)
        #expect(flight.takeOff())
        var watch = Watch(last: flight.now, set: try #require(Constraints.named(name)))
        func number(_ size: Double) -> Double { (chance.unit() * 2 - 1) * size }
        for _ in 0..<40 {
            switch Int(chance.unit() * 5) {
            case 0: _ = flight.goTo(number(90), number(90), 2 + chance.unit() * 20, heading: number(3))
            case 1:
                _ = flight.simulator.call(
                    .goToRelative(Vector3(x: number(3), y: number(3), z: number(1)), headingRadians: number(1)))
            case 2: _ = flight.simulator.call(.hover)
            case 3:
                let points = (0..<30).map { _ in
                    Trajectory.Point(
                        position: Vector3(x: number(20), y: number(20), z: 5 + number(3)), headingRadians: number(3))
                }
                _ = flight.simulator.call(
                    .trajectoryReference(
                        TrajectoryReference(
                            frame: .current, points: points, timeStepSeconds: 0.05 + chance.unit(), usesHeading: true,
                            fliesNow: true, loops: false)))
            default:
                let velocity = Vector3(
                    x: number(20), y: number(20), z: abs(number(5)) * (flight.now.position.z > 15 ? -1 : 1))
                _ = flight.simulator.call(
                    .velocityReference(VelocityReference(velocity: velocity, headingRate: number(3))))
            }
            for _ in 0..<Int(20 + chance.unit() * 200) {
                for _ in 0..<10 { flight.simulator.step() }
                if let excess = watch.look(flight.now) {
                    Issue.record("\(excess) at \(flight.now.seconds) s")
                    return
                }
            }
        }
        #expect(flight.now.tracker.tracker == "MpcTracker")
    }

    @Test func `a narrower set is come down to, not jumped to`() throws {
        let flight = try Flight { $0.constraints = "fast" }
        #expect(flight.takeOff())
        _ = flight.goTo(90, 0, 3)
        flight.pause(4)
        #expect(flight.now.referenceVelocity.x > 6)
        #expect(flight.simulator.call(.setConstraints("slow")).success)
        var last = flight.now
        for _ in 0..<1500 {
            for _ in 0..<10 { flight.simulator.step() }
            let now = flight.now
            #expect((now.referenceAcceleration - last.referenceAcceleration).length <= 40 * 0.01 * 1.5 + 1e-6)
            last = now
        }
        #expect(abs(last.referenceVelocity.x) <= 1 + 1e-6)
    }

    @Test(arguments: [1e-300, 1e-9, -1, 0, 1e300])
    func `absurd trajectories and places do no harm`(step: Double) throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        #expect(flight.simulator.call(.useSafetyArea(false)).success)
        for loops in [false, true] {
            let points = [0, 1e6, -1e6, 3].map {
                Trajectory.Point(position: Vector3(x: $0, y: -$0, z: 3), headingRadians: $0 * 1e290)
            }
            #expect(
                flight.simulator.call(
                    .trajectoryReference(
                        TrajectoryReference(
                            frame: .current, points: points, timeStepSeconds: step, usesHeading: true, fliesNow: true,
                            loops: loops))
                ).success)
            flight.pause(2)
        }
        for far in [1e7 + 1, 1e150, 1e308, -1e308] {
            #expect(!flight.goTo(far, 0, 2).success)
            #expect(!flight.goTo(0, 0, far).success)
            _ = flight.simulator.call(.setHeading(far))
            _ = flight.simulator.call(
                .velocityReference(
                    VelocityReference(
                        frame: .bodyUntilted, velocity: Vector3(x: far, y: far, z: 0), altitudeMetres: 3,
                        headingRate: far)))
            flight.pause(0.2)
        }
        let now = flight.now
        #expect(now.truePosition.isFinite)
        #expect(now.referenceVelocity.length <= 5)
        #expect(now.heading.isFinite)
    }

    /// Found by the fuzzer: no way in no time made a velocity that is no number.
    @Test func `a point that stands twice with hardly any time between does no harm`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        let point = Trajectory.Point(position: Vector3(x: 1, y: 0, z: 2), headingRadians: 0)
        #expect(
            flight.simulator.call(
                .trajectoryReference(
                    TrajectoryReference(
                        frame: .current, points: [point, point], timeStepSeconds: .leastNonzeroMagnitude,
                        usesHeading: true,
                        fliesNow: true, loops: true))
            ).success)
        flight.pause(1)
        #expect(flight.now.referencePosition.isFinite)
        #expect(flight.now.truePosition.isFinite)
    }

    @Test func `a single velocity reference moves it about half a metre, then it stops`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        flight.pause(2)
        let start = flight.now.truePosition
        #expect(
            flight.simulator.call(.velocityReference(VelocityReference(velocity: Vector3(x: 1, y: 0, z: 0)))).success)
        flight.pause(4)
        let moved = flight.now.truePosition.x - start.x
        #expect((0.3...0.9).contains(moved))
        #expect(flight.now.velocity.length < 0.1)
        #expect(!flight.now.tracker.hasGoal)
    }

    @Test func `it cannot be steered into the ground for ever: the control error lands it`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        for _ in 0..<100 {
            _ = flight.simulator.call(.velocityReference(VelocityReference(velocity: Vector3(x: 0, y: 0, z: -2))))
            flight.pause(0.1)
        }
        #expect(flight.now.flight.state == .emergency || flight.now.flight.state == .disarmed)
    }
}
