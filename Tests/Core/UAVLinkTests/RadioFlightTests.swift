import Testing
import UAVLink

/// The one rule by which a vehicle counts as flown by radio.
@Suite struct RadioFlightTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func radio(
        _ state: FlightState, isOffboard: Bool, height: Double? = nil, speed: Double? = nil, age: Duration = .zero
    ) -> RadioFlight {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: isOffboard, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: now - age) }
        telemetry.velocityMetresPerSecond = speed.map { Sample(Vector3(x: $0, y: 0, z: 0), at: now - age) }
        #expect(telemetry.wasFlownByRadio == (telemetry.radioFlight(now: now) == .certain))
        return telemetry.radioFlight(now: now)
    }

    @Test func `in the air and not in offboard mode it is, whatever its flight stack does`() {
        for state in FlightState.allCases where state != .disarmed && state != .unknown {
            #expect(radio(state, isOffboard: false, height: 4) == .certain, "\(state)")
            #expect(radio(state, isOffboard: false, speed: 2) == .certain, "\(state)")
        }
    }

    /// Some autopilots report once a second only that they have left offboard mode, and a pilot may set it again.
    @Test func `in the air without a tracker it is in offboard mode too, with one it is not`() {
        #expect(radio(.armed, isOffboard: true, height: 4) == .certain)
        #expect(radio(.armed, isOffboard: true, speed: 2) == .certain)
        for state in [FlightState.takingOff, .flying, .landing, .emergency] {
            #expect(radio(state, isOffboard: true, height: 4, speed: 2) == .no, "\(state)")
        }
    }

    @Test func `one that is on the ground is not, and one without a height may be`() {
        #expect(radio(.armed, isOffboard: true, height: 0.3) == .no)
        #expect(radio(.armed, isOffboard: true) == .no)
        #expect(radio(.armed, isOffboard: false, height: 0.3) == .no)
        #expect(radio(.armed, isOffboard: false) == .possible)
        #expect(radio(.armed, isOffboard: false, height: 4, age: .seconds(2)) == .possible)
        #expect(radio(.disarmed, isOffboard: false, height: 4) == .no)
    }
}
