import FlightControl
import Testing
import UAVLink

/// When an emergency landing waits for consent.
@Suite struct FallConsentTests {
    private func consent(falls: Bool, isAgreed: Bool, hasTerminal: Bool) -> FallConsent {
        var capabilities = VehicleCapabilities.mrs
        capabilities.emergencyStopsMotors = falls
        return .toEmergencyLand(capabilities, isAgreed: isAgreed, hasTerminal: hasTerminal)
    }

    @Test(arguments: [false, true], [false, true])
    func `a vehicle that descends is never asked about`(isAgreed: Bool, hasTerminal: Bool) {
        #expect(consent(falls: false, isAgreed: isAgreed, hasTerminal: hasTerminal) == .given)
    }

    @Test func `a machine that falls is asked about at a terminal, and needs consent without one`() {
        #expect(consent(falls: true, isAgreed: false, hasTerminal: true) == .asked)
        #expect(consent(falls: true, isAgreed: false, hasTerminal: false) == .missing)
        #expect(consent(falls: true, isAgreed: true, hasTerminal: false) == .given)
        #expect(consent(falls: true, isAgreed: true, hasTerminal: true) == .given)
    }

    @Test func `every state fits into a sentence about the vehicle`() {
        #expect(FlightState.emergency.condition == "in emergency" && FlightState.takingOff.condition == "taking off")
        #expect(!FlightState.allCases.contains { $0.condition.contains("_") })
    }
}
