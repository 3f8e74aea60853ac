import FlightPlans
import ModeKit
import Tello
import Testing
import UAVLink

@testable import FlightPlanMode

@MainActor
@Suite("Golden screens of the flight plan")
struct FlightPlanGoldenTests {
    @Test("a plan of which four steps were moved", arguments: GoldenSize.withNarrow)
    func plan(_ size: GoldenSize) throws {
        try Golden.check(FlightPlanSamples.screen(FlightPlanSamples.planned), "flightplan", size)
    }

    @Test("a plan that cannot be flown, and why", arguments: GoldenSize.withNarrow)
    func findings(_ size: GoldenSize) throws {
        try Golden.check(FlightPlanSamples.screen(FlightPlanSamples.wrong), "flightplan-check", size)
    }

    @Test("the states, while a plan is flown", arguments: GoldenSize.withNarrow)
    func states(_ size: GoldenSize) throws {
        try Golden.check(FlightPlanSamples.screen(FlightPlanSamples.flown), "flightplan-states", size)
    }

    @Test("the question before a flight", arguments: GoldenSize.withNarrow)
    func question(_ size: GoldenSize) throws {
        try Golden.check(FlightPlanSamples.screen(FlightPlanSamples.asked), "flightplan-question", size)
    }
}
