import Testing
import UAVLink

@testable import Tello

/// When which sticks are sent.
@Suite("Tello steering") struct TelloSteeringTests {
    @Test func `steering begins neutral`() {
        var bench = ClientBench.flying()
        #expect(bench.steer(0.5) == false)
        bench.pass(.seconds(1))
        #expect(bench.orders.isEmpty)
        #expect(bench.steer(0) == true)
        bench.pass(.milliseconds(40))
        bench.steer(0.5)
        bench.pass(.milliseconds(40))
        #expect(bench.orders.first == "rc 0 0 0 0")
        #expect(bench.orders.last == "rc 0 50 0 0")
    }

    @Test func `sticks are sent at a steady rate while setpoints come, however many`() {
        var bench = ClientBench.flying()
        for step in 0..<200 {
            bench.steer(step < 10 ? 0 : 0.3)
            bench.pass(.milliseconds(10))
        }
        // Two seconds at 30 ms.
        #expect((60...70).contains(bench.orders.count))
    }

    /// A companion in front of it renews the lease by these.
    @Test func `a setpoint that waits for its turn is taken, and one that is dropped is not`() {
        var bench = ClientBench.flying()
        bench.steer(0.5)
        #expect(!bench.client.tookSetpoint)
        bench.steer(0)
        #expect(bench.client.tookSetpoint)
        bench.pass(.milliseconds(5))
        // Too early for the drone, and the one that is sent next.
        #expect(bench.steer(0.5) == false)
        #expect(bench.client.tookSetpoint)
        bench.pass(.milliseconds(40))
        #expect(bench.orders.last == "rc 0 50 0 0")
    }

    @Test func `a setpoint of the future counts as of now, and locks no later one out`() {
        var steering = TelloSteering()
        let now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        func setpoint(at time: MonotonicTime) -> VelocitySetpoint {
            VelocitySetpoint(velocityMetresPerSecond: .zero, frame: .body, intendedAt: time)
        }
        let future = setpoint(at: now + .seconds(60))
        let first = steering.take(future, as: .neutral, now: now)
        let second = steering.take(
            setpoint(at: now + .milliseconds(20)), as: .neutral, now: now + .milliseconds(20))
        let third = steering.take(future, as: .neutral, now: now + .milliseconds(40))
        #expect(first && second && third)
        _ = steering.due(now: now + .milliseconds(40) + future.validFor)
        #expect(!steering.isSteering)
    }

    @Test func `the sticks go neutral when setpoints stop, and nothing more is sent`() {
        var bench = ClientBench.flying()
        for step in 0..<20 {
            bench.steer(step < 5 ? 0 : 0.5)
            bench.pass(.milliseconds(20))
        }
        bench.forget()
        bench.pass(.milliseconds(170))
        #expect(Set(bench.orders) == ["rc 0 50 0 0"])
        bench.pass(.milliseconds(40))
        #expect(bench.orders.last == "rc 0 0 0 0")
        bench.forget()
        bench.pass(.seconds(3))
        #expect(Set(bench.orders) == ["rc 0 0 0 0"])
        #expect(bench.orders.count < TelloTimes.neutralCopies)
        // Motion does not resume with the next setpoint.
        bench.forget()
        bench.steer(0.5)
        bench.pass(.milliseconds(100))
        #expect(bench.orders.isEmpty)
    }

    @Test func `a setpoint that comes after the lapse is not followed, even if nothing was done in between`() {
        var steering = TelloSteering()
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        func setpoint(_ x: Double) -> VelocitySetpoint {
            VelocitySetpoint(velocityMetresPerSecond: Vector3(x: x, y: 0, z: 0), frame: .body, intendedAt: now)
        }
        let forward = TelloSticks(right: 0, forward: 50, up: 0, clockwise: 0)
        #expect(steering.take(setpoint(0), as: .neutral, now: now) == true)
        #expect(steering.due(now: now) == .neutral)
        now = now + .milliseconds(100)
        #expect(steering.take(setpoint(0.5), as: forward, now: now) == true)
        #expect(steering.due(now: now) == forward)
        now = now + .milliseconds(250)
        #expect(steering.take(setpoint(0.5), as: forward, now: now) == false)
        #expect(steering.due(now: now) == .neutral)
    }

    @Test func `an old setpoint never replaces a newer one, and an expired one nothing`() {
        var steering = TelloSteering()
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        func setpoint(_ x: Double, at: MonotonicTime) -> VelocitySetpoint {
            VelocitySetpoint(velocityMetresPerSecond: Vector3(x: x, y: 0, z: 0), frame: .body, intendedAt: at)
        }
        let forward = TelloSticks(right: 0, forward: 50, up: 0, clockwise: 0)
        #expect(steering.take(setpoint(0, at: now - .milliseconds(200)), as: .neutral, now: now) == false)
        #expect(steering.take(setpoint(0, at: now), as: .neutral, now: now) == true)
        #expect(steering.take(setpoint(0.5, at: now - .milliseconds(1)), as: forward, now: now) == false)
    }

    @Test func `the release of a stick does not wait for its turn`() {
        var bench = ClientBench.flying()
        bench.steer(0)
        bench.pass(.milliseconds(40))
        bench.steer(0.5)
        bench.pass(.milliseconds(40))
        bench.steer(0.5)
        bench.forget()
        #expect(bench.steer(0) == true)
        #expect(bench.orders == ["rc 0 0 0 0"])
    }

    @Test func `while nothing is heard for a second, the sticks are neutral, and begin neutral afterwards`() {
        var bench = ClientBench.flying()
        let state = bench.state
        bench.steer(0)
        bench.pass(.milliseconds(50))
        bench.steer(0.5)
        bench.state = nil
        for _ in 0..<60 {
            bench.steer(0.5)
            bench.pass(.milliseconds(20))
        }
        #expect(bench.orders.last == "rc 0 0 0 0")
        bench.state = state
        bench.pass(.milliseconds(300))
        bench.forget()
        bench.steer(0.5)
        bench.pass(.milliseconds(100))
        #expect(!bench.orders.contains("rc 0 50 0 0"))
    }

    @Test func `a command takes over from the sticks, which are neutral before it`() {
        var bench = ClientBench.flying()
        bench.steer(0)
        bench.pass(.milliseconds(50))
        bench.steer(0.5)
        bench.pass(.milliseconds(50))
        bench.forget()
        _ = bench.perform(.ahead(1))
        #expect(bench.orders == ["rc 0 0 0 0", "go 100 0 0 50"])
        // While it is executed no sticks are sent: they would end nothing.
        bench.steer(0)
        bench.pass(.milliseconds(500))
        #expect(bench.orders == ["rc 0 0 0 0", "go 100 0 0 50"])
    }
}
