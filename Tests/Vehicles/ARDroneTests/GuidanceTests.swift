import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// The way to a coordinate: bearing, distance, and signs.
@Suite("AR.Drone goto") struct ARDroneGuidanceTests {
    @Test(arguments: [
        (50.001, 14.0, 111.2, 0.0), (49.999, 14.0, 111.2, 180.0), (50.0, 14.001, 71.5, 90.0),
        (50.0, 13.999, 71.5, 270.0),
    ])
    func `distance and bearing`(_ latitude: Double, _ longitude: Double, _ metres: Double, _ bearing: Double) {
        let way = ARDroneGuidance(latitude: latitude, longitude: longitude).way(latitude: 50, longitude: 14)
        #expect(abs(way.metres - metres) < 0.2 && abs(way.bearing - bearing) < 0.01)
    }

    @Test func `it turns first, to the nearer side, then flies forward with its nose down, and stops within a metre`() {
        let right = ARDroneGuidance.sticks(metres: 50, bearing: 90, heading: 0)
        #expect(right?.yaw == 0.9 && right?.pitch == 0)
        let left = ARDroneGuidance.sticks(metres: 50, bearing: 350, heading: 20)
        #expect(left?.yaw == -0.3 && left?.pitch == -0.2)
        let ahead = ARDroneGuidance.sticks(metres: 50, bearing: 10, heading: 10)
        #expect(ahead == ATSticks(roll: 0, pitch: -0.2, climb: 0, yaw: 0))
        #expect(ARDroneGuidance.sticks(metres: 0.9, bearing: 10, heading: 10) == nil)
    }

    /// So many metres north and east of where the drone was switched on.
    private static func place(north: Double, east: Double) -> Command {
        let degree = 111_195.08
        let position = Vector3(
            x: 50.0755 + north / degree, y: 14.4378 + east / (degree * 0.641_772), z: 0)
        return .goTo(.init(.frame(.latitudeLongitude), position: position, headingRadians: 0))
    }

    @Test(arguments: [(12.0, 0.0), (-10.0, 5.0), (3.0, -12.0)])
    func `it flies to a place and stops within a metre and a half`(_ north: Double, _ east: Double) {
        var bench = FlightBench { $0.heading = 60 }
        bench.fly()
        let call = bench.perform(Self.place(north: north, east: east))
        #expect(bench.accepted(call) == true, "\(bench.words(call) ?? "")")
        #expect(bench.pass(within: .seconds(120)) { $0.messages.contains("the goto has arrived; the AR.Drone hovers") })
        bench.pass(.seconds(2))
        let place = bench.drone.place
        #expect(abs(place.north - north) < 1.5 && abs(place.east - east) < 1.5, "\(place)")
        #expect(bench.drone.sticks == nil)
    }

    @Test func `hover ends it half-way, and a setpoint too`() {
        var bench = FlightBench()
        bench.fly()
        bench.perform(Self.place(north: 50, east: 0))
        bench.pass(.seconds(4))
        #expect(bench.drone.sticks != nil && bench.drone.place.north > 0.5)
        bench.perform(.hover)
        bench.pass(.seconds(3))
        #expect(bench.drone.sticks == nil && bench.drone.place.north < 20)
        bench.perform(Self.place(north: 50, east: 0))
        bench.pass(.seconds(2))
        bench.steer(0)
        bench.pass(.seconds(1))
        #expect(bench.drone.sticks == nil)
    }

    @Test func `without a fix or a compass it is refused, and one that is lost ends it`() {
        var bench = FlightBench { $0.hasGPS = false }
        bench.fly()
        let call = bench.perform(Self.place(north: 10, east: 0))
        #expect(bench.words(call) == "no satellite fix")
        bench.drone.settings.hasGPS = true
        bench.pass(.milliseconds(100))
        bench.drone.settings.hasCompass = false
        bench.pass(.seconds(3))
        let second = bench.perform(Self.place(north: 10, east: 0))
        #expect(bench.words(second) == "no calibrated magnetometer")
        bench.drone.settings.hasCompass = true
        bench.pass(.milliseconds(100))
        bench.perform(Self.place(north: 50, east: 0))
        bench.pass(.seconds(1))
        #expect(bench.drone.sticks != nil)
        bench.drone.settings.hasGPS = false
        bench.pass(.seconds(3))
        #expect(bench.drone.sticks == nil)
        #expect(bench.messages.contains("the goto has ended: no satellite fix; the AR.Drone hovers"))
    }

    @Test func `a place beyond its reach, or one that is on the ground, is refused`() {
        var bench = FlightBench()
        bench.open()
        #expect(bench.pass { $0.core.phase == .open })
        let standing = bench.perform(Self.place(north: 10, east: 0))
        #expect(bench.accepted(standing) == false)
        bench.perform(.takeoff)
        #expect(bench.pass { $0.core.flight.state == .flying })
        let far = bench.perform(Self.place(north: 5000, east: 0))
        #expect(bench.failure(far)?.code == .invalidInput)
    }

    @Test func `a program that hangs ends it`() {
        var bench = FlightBench()
        bench.fly()
        bench.perform(Self.place(north: 100, east: 0))
        bench.pass(.seconds(1))
        bench.isUsed = false
        bench.pass(.milliseconds(3500))
        #expect(bench.drone.sticks == nil)
    }
}
