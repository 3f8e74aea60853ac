import Testing
import UAVLink

@testable import MRS

@Suite struct BrakePermissionTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    private func telemetry(_ state: FlightState, isOffboard: Bool = true, height: Double? = 3) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: true, isOffboard: isOffboard, isOutputEnabled: isOffboard,
                isFlyingNormally: state == .flying), at: now)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: now) }
        return telemetry
    }

    @Test func `a vehicle that its flight stack flies is braked before a command`() {
        #expect(telemetry(.flying).permitsBrake(now: now))
        #expect(telemetry(.takingOff).permitsBrake(now: now))
        #expect(Telemetry(vehicle: "uav1").permitsBrake(now: now), "nothing is known")
    }

    @Test(arguments: [FlightState.landing, .emergency])
    func `one that lands, or is in an emergency, is not`(state: FlightState) {
        #expect(!telemetry(state).permitsBrake(now: now))
    }

    @Test func `nor is one that is flown by radio`() {
        #expect(!telemetry(.armed, isOffboard: false).permitsBrake(now: now))
        #expect(!telemetry(.flying, isOffboard: false).permitsBrake(now: now))
    }
}
