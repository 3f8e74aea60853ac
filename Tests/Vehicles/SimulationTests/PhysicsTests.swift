import Geodesy
import Testing
import UAVLink

@testable import Simulation

@Suite struct PhysicsTests {
    static let airframe = Airframe()

    @Test func `hovering takes as much thrust as it weighs`() throws {
        let flight = try Flight { $0.noise = 0 }
        #expect(flight.takeOff())
        flight.pause(8)
        #expect(abs(flight.simulator.body.thrust - Self.airframe.weightNewtons) < 0.02 * Self.airframe.weightNewtons)
        #expect(flight.now.attitude.tiltRadians < 0.01)
        #expect(flight.simulator.body.velocity.length < 0.02)
    }

    @Test func `without thrust and air it falls as Galileo says`() {
        var frame = Airframe()
        frame.linearDrag = 0
        frame.quadraticDrag = 0
        var body = RigidBody(airframe: frame, x: 0, y: 0, headingRadians: 0)
        body.position.z = 100
        let energy = body.energy
        for _ in 0..<2000 { body.step(seconds: 0.001, thrusts: .zero) }
        #expect(abs(body.position.z - (100 - Airframe.gravity * 2)) < 1e-6)
        #expect(abs(body.velocity.z + Airframe.gravity * 2) < 1e-9)
        #expect(abs(body.energy - energy) < 1e-6 * energy)
    }

    @Test func `falling through air ends at the terminal speed and only loses energy`() {
        var body = RigidBody(airframe: Self.airframe, x: 0, y: 0, headingRadians: 0)
        body.position.z = 5000
        var (energy, onlyLost) = (body.energy, true)
        for _ in 0..<40_000 {
            body.step(seconds: 0.001, thrusts: .zero)
            onlyLost = onlyLost && body.energy <= energy + 1e-9
            energy = body.energy
        }
        #expect(onlyLost)
        #expect(abs(-body.velocity.z - Self.airframe.terminalSpeed) < 0.01)
    }

    @Test func `the mixer gives what it is asked for`() {
        let frame = Self.airframe
        let each = frame.mix(thrust: 30, torqueX: 0.4, torqueY: -0.3, torqueZ: 0.1)
        #expect(abs(each.sum() - 30) < 1e-9)
        #expect(abs((each * Airframe.Rotors.y).sum() * frame.armMetres - 0.4) < 1e-9)
        #expect(abs(-(each * Airframe.Rotors.x).sum() * frame.armMetres + 0.3) < 1e-9)
        #expect(abs((each * Airframe.Rotors.spin).sum() * frame.torquePerThrustMetres - 0.1) < 1e-9)
        let greatest = frame.mix(thrust: 1e9, torqueX: 1e9, torqueY: 0, torqueZ: 0)
        #expect(greatest.max() <= frame.rotorThrustNewtons)
        #expect(greatest.min() >= 0)
    }

    @Test func `motors lag behind what they are commanded`() {
        var body = RigidBody(airframe: Self.airframe, x: 0, y: 0, headingRadians: 0)
        body.position.z = 100
        let full = Airframe.Rotors.present * Self.airframe.rotorThrustNewtons
        for _ in 0..<Int(Self.airframe.motorLagSeconds * 1000) { body.step(seconds: 0.001, thrusts: full) }
        #expect(abs(body.rotorSpeeds[0] - 0.632) < 0.01)
    }

    @Test func `the ground takes what falls on it`() {
        var body = RigidBody(airframe: Self.airframe, x: 0, y: 0, headingRadians: 1)
        body.position.z = 3
        body.velocity = Vector3(x: 2, y: 0, z: 0)
        for _ in 0..<3000 { body.step(seconds: 0.001, thrusts: .zero) }
        #expect(body.isOnGround)
        #expect(body.position.z == Self.airframe.gearMetres)
        #expect(body.velocity == .zero)
        #expect(body.attitude.tiltRadians == 0)
        #expect(abs(body.attitude.headingRadians - 1) < 1e-9)
    }

    @Test func `wind carries a falling body along and a hovering one hardly`() throws {
        var body = RigidBody(airframe: Self.airframe, x: 0, y: 0, headingRadians: 0)
        body.position.z = 1000
        for _ in 0..<20_000 {
            body.step(seconds: 0.001, thrusts: .zero, wind: Vector3(x: 5, y: 0, z: 0))
        }
        #expect(abs(body.velocity.x - 5) < 0.1)
        let flight = try Flight {
            $0.windMetresPerSecond = Vector3(x: 5, y: -3, z: 0)
            $0.gustsMetresPerSecond = 1
        }
        #expect(flight.takeOff())
        let start = flight.now.referencePosition
        flight.pause(20)
        #expect((flight.now.truePosition - start).length < 0.6)
        #expect(flight.now.attitude.tiltRadians > 0.03)
    }

    @Test func `the battery drains with the thrust and holds about a quarter of an hour of flight`() throws {
        let flight = try Flight()
        flight.pause(10)
        let resting = flight.now.battery
        let restingVolts = try #require(resting.voltageVolts)
        #expect((25.0...25.2).contains(restingVolts))
        #expect((resting.currentAmperes ?? 0) < 1)
        #expect(flight.takeOff())
        let before = try #require(flight.now.battery.remaining)
        flight.pause(30)
        let after = flight.now.battery
        let amperes = try #require(after.currentAmperes)
        #expect((15...30).contains(amperes))
        let volts = try #require(after.voltageVolts)
        #expect(volts < restingVolts - 0.3)
        let minutes = 0.5 / (before - (after.remaining ?? 0))
        #expect((12...30).contains(minutes))
    }

    @Test func `an empty battery brings it down`() throws {
        let flight = try Flight { $0.batteryCharge = 0.02 }
        #expect(flight.takeOff())
        #expect(flight.wait(atMost: 120) { $0.truePosition.z <= 0.06 } != nil)
        #expect(flight.now.battery.remaining == 0)
    }

    @Test func `GNSS and range finder are near the truth, not on it`() throws {
        let flight = try Flight()
        #expect(flight.takeOff())
        var (apart, off) = (0.0, 0.0)
        for _ in 0..<200 {
            flight.pause(0.1)
            let seen = flight.now
            let fix = try flight.simulator.gnss(seen)
            let true0 = try flight.simulator.geographic(seen.truePosition)
            apart = max(apart, abs(fix.latitudeDegrees - true0.latitudeDegrees) * 111_000)
            off = max(off, abs(seen.heightAboveGround - seen.truePosition.z))
        }
        #expect((0.02...2).contains(apart))
        #expect((0.002...0.1).contains(off))
    }
}

extension RigidBody {
    /// Kinetic (translation and rotation) and potential energy, joules.
    fileprivate var energy: Double {
        let (m, w) = (airframe.massKilograms, rates)
        return m * velocity.dot(velocity) / 2 + m * Airframe.gravity * position.z
            + (airframe.inertiaXY * (w.x * w.x + w.y * w.y) + airframe.inertiaZ * w.z * w.z) / 2
    }
}

extension Airframe {
    /// Speed in free fall at which drag equals the weight, m/s: the root of `linear v + quadratic v^2 = weight`.
    fileprivate var terminalSpeed: Double {
        let (b, a) = (linearDrag, quadraticDrag)
        return (-b + (b * b + 4 * a * weightNewtons).squareRoot()) / (2 * a)
    }
}
