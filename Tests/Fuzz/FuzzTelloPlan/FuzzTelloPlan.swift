import FlightPlans
import FuzzKit
import Tello
import UAVLink

/// Files of flight plans: what is read is checked, moved without flying, drawn, written, read again and compared, and made into a
/// route and back.
@main enum FuzzTelloPlan: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let (plan, problems) = PlanReader.read(bytes)
        precondition(problems.count <= PlanReader.mostProblems && plan.steps.count <= FlightPlan.mostSteps)
        let check = PlanCheck(plan, found: problems)
        precondition(check.run.moments.count == plan.steps.count)
        precondition(check.seconds.isFinite && check.battery.isFinite)
        for moment in check.run.moments { precondition(moment.place?.isFinite ?? true) }
        for problem in check.problems { precondition(!problem.description.contains("\n")) }
        let drawing = PlanDrawing(check.run, columns: 40, rows: 12)
        precondition(drawing.lines.count <= 13)
        let again = PlanReader.read(Array(plan.text.utf8))
        precondition(again.plan.steps.map(\.action) == plan.steps.map(\.action) && again.plan.pads == plan.pads)
        precondition(again.plan.floor == plan.floor && again.plan.ceiling == plan.ceiling)
        guard check.isOK, let route = try? PlanRoute.route(of: plan), let back = try? PlanRoute.plan(of: route.value)
        else { return }
        precondition(back.value.steps.count <= FlightPlan.mostSteps + 2)
    }
}
