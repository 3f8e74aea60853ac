package import FlightPlans
internal import UAVLink

extension FlightPlanScreenState {
    /// Shows a plan and its check.
    package mutating func take(_ plan: FlightPlan, _ check: PlanCheck) {
        (isOK, summary) = (check.isOK, FlightPlanTexts.summary(plan, check))
        steps = FlightPlanTexts.steps(plan, check)
        findings = FlightPlanTexts.findings(check)
        pads = FlightPlanTexts.pads(plan)
    }

    /// Shows the simulated drone after so many steps of the plan.
    package mutating func move(to step: Int, in plan: FlightPlan, _ moments: [DryRun.Moment]) {
        moved = step
        position = FlightPlanTexts.position(plan, moments, moved: step)
        done = [PlanPlace(.zero)] + moments.prefix(step).flatMap(\.path).map(PlanPlace.init)
        ahead = done.suffix(1) + moments.dropFirst(step).flatMap(\.path).map(PlanPlace.init)
        marker = PlanMarker(place: PlanPlace(.zero), heading: 0)
        guard step > 0, moments.indices.contains(step - 1) else { return }
        let moment = moments[step - 1]
        marker = moment.place.map { PlanMarker(place: PlanPlace($0), heading: moment.heading) }
    }
}
