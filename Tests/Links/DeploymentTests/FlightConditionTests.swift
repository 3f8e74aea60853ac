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
