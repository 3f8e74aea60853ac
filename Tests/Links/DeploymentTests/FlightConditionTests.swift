import Testing
import UAVLink

@testable import Deployment

@Suite struct FlightConditionTests {
    private func condition(_ state: FlightState, isArmed: Bool = false) -> FlightCondition {
        FlightCondition(
            FlightStatus(
                state: state, isArmed: isArmed, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false))
    }

    @Test func `every state is the ground, armed, the air, or unknown`() {
        #expect(condition(.disarmed) == .onGround)
        #expect(condition(.armed) == .armed && condition(.disarmed, isArmed: true) == .armed)
        for state in FlightState.allCases where state.isAirborne { #expect(condition(state) == .airborne(state)) }
        guard case .unknown = condition(.unknown) else {
            Issue.record("an unknown state is not known")
            return
        }
    }

    private func telemetry(_ state: FlightState, height: Double?, age: Duration = .zero) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: true, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
            at: now - age)
        telemetry.heightAboveGroundMetres = height.map { Sample($0, at: now) }
        return telemetry
    }

    private let now = MonotonicTime(nanoseconds: 100_000_000_000)

    @Test func `an armed vehicle in the air is flown by radio, and left alone whoever forces it`() throws {
        let condition = FlightWatch.condition(telemetry(.armed, height: 4), now: now)
        #expect(condition == .flownByRadio)
        for isForced in [false, true] {
            let error = #expect(throws: DeploymentFailure.self) {
                _ = try condition?.requireGround(of: "uav1", isForced: isForced)
            }
            #expect(error?.what == "uav1 is flown by radio: nothing was changed")
            #expect(error?.hint.contains("disarm") == false)
        }
        #expect(FlightWatch.condition(telemetry(.armed, height: 0.2), now: now) == .armed)
        #expect(FlightWatch.condition(telemetry(.armed, height: nil), now: now) == .armed)
    }

    @Test func `what was received seconds ago says nothing`() {
        #expect(FlightWatch.condition(telemetry(.disarmed, height: 0, age: .seconds(3)), now: now) == nil)
        #expect(FlightWatch.condition(telemetry(.unknown, height: 0), now: now) == nil)
    }

    @Test func `nothing is done in the air, whoever forces it`() throws {
        for isForced in [false, true] {
            let error = #expect(throws: DeploymentFailure.self) {
                try FlightCondition.airborne(.landing).requireGround(of: "uav1", isForced: isForced)
            }
            #expect(error?.what == "uav1 flies (landing): nothing was changed")
        }
    }

    @Test func `an armed vehicle needs force, an unknown state is said`() throws {
        let error = #expect(throws: DeploymentFailure.self) {
            try FlightCondition.armed.requireGround(of: "uav1", isForced: false)
        }
        #expect(error?.hint.contains("--force") == true)
        #expect(try FlightCondition.armed.requireGround(of: "uav1", isForced: true) == "uav1 is armed")
        #expect(try FlightCondition.onGround.requireGround(of: "uav1", isForced: false) == nil)
        let assumed = try FlightCondition.unknown("no ROS").requireGround(of: "uav1", isForced: false)
        #expect(assumed?.contains("no ROS") == true && assumed?.contains("on the ground") == true)
    }
}
