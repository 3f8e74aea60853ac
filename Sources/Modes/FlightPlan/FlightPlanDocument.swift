internal import FlightPlans

/// What is kept while the mode is closed: the plan, and how far the simulated drone has been moved.
@MainActor
package final class FlightPlanDocument {
    /// The plan; `nil` before one was opened.
    private(set) var plan: FlightPlan?
    /// What was found when it was read or made of a route.
    private(set) var found: [PlanProblem] = []
    /// Its file, or the route that it was made of; untrusted text.
    private(set) var name = ""
    /// Its file; `nil` for one that was made of a route, and not written since.
    private(set) var path: String?
    /// Whether that file holds nothing but the plan, as it was written here: comments are lost when another one is replaced.
    private(set) var isOwnFile = false
    /// How many steps the simulated drone has made.
    private(set) var moved = 0
    /// Counts the plans: what was asked about one is not done with another.
    private(set) var revision = 0

    package init() {}

    /// Whether there is a plan that no file has.
    package var hasUnsavedPlan: Bool { plan != nil && path == nil }

    /// Takes a plan of a file.
    func open(_ plan: FlightPlan, _ found: [PlanProblem], path: String) { take(plan, found, path, of: path) }

    /// Takes a plan that was made of a route.
    func take(_ plan: FlightPlan, _ found: [PlanProblem], madeOf route: String) { take(plan, found, nil, of: route) }

    private func take(_ plan: FlightPlan, _ found: [PlanProblem], _ path: String?, of name: String) {
        (self.plan, self.found, self.path, self.name) = (plan, found, path, name)
        (moved, isOwnFile) = (0, false)
        revision &+= 1
    }

    /// The plan was written to a file.
    func wrote(to path: String) { (self.path, name, isOwnFile) = (path, path, true) }

    /// Moves the simulated drone.
    func move(to step: Int) { moved = min(max(step, 0), plan?.steps.count ?? 0) }
}
