import FlightPlans
import ModeKit
import Tello
import UAVLink

@testable import FlightPlanMode

/// A plan with an arc and a pad, in what the screen shows of it.
@MainActor
enum FlightPlanSamples {
    private static let text = """
        ceiling 200
        pad m1 150 100
        mon
        takeoff
        forward 150
        cw 90
        curve 50 50 0 100 0 0 40
        wait 2.5
        back 100
        land
        """

    static func screen(_ state: FlightPlanScreenState) -> FlightPlanScreen {
        let screen = FlightPlanScreen { _ in }
        screen.show(state)
        return screen
    }

    private static func state(
        _ text: String, moved: Int, _ mode: TelloMode
    ) -> (state: FlightPlanScreenState, plan: FlightPlan, check: PlanCheck) {
        let read = PlanReader.read(Array(text.utf8))
        let check = PlanCheck(read.plan, found: read.problems, for: .sdk20, battery: 87)
        var state = FlightPlanScreenState()
        (state.name, state.states) = ("arc.plan.txt", PilotStates(mode))
        state.take(read.plan, check)
        state.move(to: moved, in: read.plan, check.run.moments)
        return (state, read.plan, check)
    }

    static var planned: FlightPlanScreenState { state(text, moved: 5, .planning).state }

    static var wrong: FlightPlanScreenState {
        state("takeoff\nforward 10\nup 400\nsideways 3\nflip l\nback 100\n", moved: 2, .planning).state
    }

    static var flown: FlightPlanScreenState {
        var state = state(text, moved: 4, .autoPilot).state
        state.panel = .states
        state.flight = PlanFlightLine(.flying, "flies 4 of 8, line 6: cw 90", step: 3)
        return state
    }

    static var asked: FlightPlanScreenState {
        var (state, plan, check) = state(text, moved: 0, .planning)
        state.confirmation = FlightPlanTexts.flying(plan, check, by: "tello", battery: 87, stepwise: false)
        return state
    }
}
