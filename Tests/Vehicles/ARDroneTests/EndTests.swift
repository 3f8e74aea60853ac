import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// Ends and new beginnings of a link, and what is known of the drone then.
@Suite("AR.Drone ends and beginnings") struct ARDroneEndTests {
    @Test func `closing sends once more a landing that has not arrived`() {
        var bench = FlightBench()
        bench.fly()
        bench.isUpOpen = false
        bench.perform(.land)
        bench.pass(.milliseconds(100))
        bench.isUpOpen = true
        #expect(bench.drone.activity == .flying)
        bench.core.close(now: bench.now)
        bench.pass(.milliseconds(5))
        #expect(bench.drone.activity == .landing)
    }

    @Test func `closing sends once more an emergency that has not arrived, and undoes none that has`() {
        for arrives in [false, true] {
            var bench = FlightBench()
            bench.fly()
            (bench.isUpOpen, bench.isDownOpen) = (arrives, false)
            bench.perform(.emergencyLand)
            bench.pass(.milliseconds(100))
            bench.isUpOpen = true
            bench.core.close(now: bench.now)
            bench.pass(.milliseconds(5))
            #expect(bench.drone.activity == .cut)
            #expect(!bench.drone.commands.contains("clear"))
        }
    }

    @Test func `closing lands no drone of which no landing was wanted`() {
        var bench = FlightBench()
        bench.fly()
        bench.forgetSent()
        bench.core.close(now: bench.now)
        bench.pass(.milliseconds(5))
        #expect(
            bench.arguments(of: "REF") == [] && bench.arguments(of: "PCMD") == .init(repeating: "0,0,0,0,0", count: 3))
    }

    @Test func `a setpoint of the future is valid no longer than one of now, and does not lock out later ones`() {
        var steering = ARDroneSteering()
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        func setpoint(_ share: Double, at: MonotonicTime) -> VelocitySetpoint {
            VelocitySetpoint(velocityMetresPerSecond: Vector3(x: 2 * share, y: 0, z: 0), frame: .body, intendedAt: at)
        }
        func take(_ setpoint: VelocitySetpoint, _ now: MonotonicTime) -> Bool {
            steering.take(setpoint, as: ATSticks(setpoint, full: .arDrone), now: now)
        }
        #expect(take(setpoint(0, at: now + .seconds(60)), now))
        #expect(take(setpoint(0.5, at: now + .seconds(60)), now))
        #expect(steering.expiresAt == now + .milliseconds(200))
        #expect(take(setpoint(0, at: now + .milliseconds(20)), now + .milliseconds(20)))
        #expect(!steering.isMoving)
    }

    @Test func `a drone that was switched on anew is not taken for the one that flew`() {
        var bench = FlightBench()
        bench.fly()
        bench.forgetSent()
        bench.drone = EmulatedARDrone(now: Double(bench.now.nanoseconds) / 1e9)
        #expect(bench.pass { $0.core.flight.status?.contains(.bootstrap) == true })
        #expect(bench.core.flight.state == .disarmed)
        #expect(bench.pass { $0.core.configurator.isDone && $0.drone.stream == .whole })
        #expect(bench.arguments(of: "CONFIG").contains { $0.hasPrefix("\"control:euler_angle_max") })
    }

    @Test func `its attitude has the signs of UAVLink`() {
        var bench = FlightBench { $0.heading = 90 }
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .milliseconds(500))
        let attitude = bench.telemetry?.attitude?.value
        // Forward is nose down; its yaw is clockwise.
        #expect((attitude?.pitchRadians ?? 0) < -0.02 && abs(attitude?.rollRadians ?? 1) < 0.01)
        #expect(abs((attitude?.yawRadians ?? 0) + .pi / 2) < 0.01)
    }

    @Test func `pressure, temperature, motors and compass are readings, twice a second`() {
        var bench = FlightBench { $0.heading = 90 }
        bench.fly()
        guard let first = bench.telemetry?.readings else {
            Issue.record("no readings")
            return
        }
        let names = first.value.map(\.name)
        #expect(names == ["pressure", "temperature", "motors", "compass", "wind"], "\(names)")
        #expect(first.value.first.map { $0.values.allSatisfy { (900...1100).contains($0) } } == true, "\(first)")
        let motors = first.value.first { $0.name == "motors" }?.values ?? []
        #expect(motors.count == 4 && motors.allSatisfy { $0 > 0 && $0 <= 100 }, "\(motors)")
        #expect(abs((first.value.first { $0.name == "compass" }?.values.first ?? 0) - 90) < 2)
        bench.pass(.milliseconds(400))
        let second = bench.telemetry?.readings?.at ?? first.at
        #expect(second - first.at == .zero || second - first.at >= ARDroneTimes.readings)
        bench.pass(.milliseconds(600))
        #expect((bench.telemetry?.readings?.at ?? first.at) - first.at >= ARDroneTimes.readings)
    }

    @Test func `a heading that is old turns no velocity`() {
        var bench = FlightBench { $0.heading = 90 }
        bench.fly()
        bench.drone.settings.hasCompass = false
        bench.pass(.milliseconds(100))
        bench.core.compass = (degrees: 0, at: bench.now)
        bench.pass(.seconds(2))
        bench.steer(0)
        bench.steer(0.5, for: .seconds(1))
        let velocity = bench.telemetry?.velocityMetresPerSecond?.value
        #expect((velocity?.x ?? 0) > 0.5 && abs(velocity?.y ?? 1) < 0.1)
    }

    @Test func `a value of the configuration that is too long is cut before it is shown`() {
        var configurator = ARDroneConfigurator()
        let now = MonotonicTime(nanoseconds: 0)
        configurator.begin([.init("a:b", "1")], now: now)
        for _ in 0..<3 {
            for status in [[], .commandAcknowledged, []] as [ARDroneStatus] { configurator.take(status, now: now) }
            configurator.take(["a:b": String(repeating: "x", count: 100_000)], now: now)
        }
        #expect(configurator.isDone)
        #expect(configurator.complaints == ["a:b is \(String(repeating: "x", count: 40)), although 1 was set"])
    }
}
