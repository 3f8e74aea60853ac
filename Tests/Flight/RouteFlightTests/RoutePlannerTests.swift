import RouteFlight
import Testing

@MainActor
@Suite("Planning a route after each change")
struct RoutePlannerTests {
    private struct Problem: Error, Equatable {}

    /// A route whose plan is the revision that it was made of.
    @MainActor
    private final class Route {
        var revision = 0
        var planned: [Int] = []
        var fails = false

        func plan() throws(Problem) -> Int? {
            planned.append(revision)
            if fails { throw Problem() }
            return revision
        }
    }

    private func planner(of route: Route, keepsOldPlan: Bool = true) -> RoutePlanner<Int, Problem> {
        RoutePlanner(keepsOldPlan: keepsOldPlan) { route.revision }
    }

    private func replan(_ planner: RoutePlanner<Int, Problem>, _ route: Route) async {
        await planner.replan { () async throws(Problem) -> Int? in try route.plan() }
    }

    @Test("A plan is made once, and again after an edit or a changed setting")
    func again() async {
        let route = Route()
        let planner = planner(of: route)
        #expect(!planner.isCurrent && planner.plan == nil)
        await replan(planner, route)
        await replan(planner, route)
        #expect(planner.isCurrent && planner.plan == 0 && route.planned == [0])
        route.revision = 1
        #expect(!planner.isCurrent && planner.plan == 0)
        await replan(planner, route)
        #expect(planner.isCurrent && planner.plan == 1)
        planner.invalidate()
        #expect(!planner.isCurrent)
        await replan(planner, route)
        #expect(planner.isCurrent && route.planned == [0, 1, 1])
    }

    @Test("An edit while a plan is made is planned too; a second call meanwhile plans nothing")
    func meanwhile() async {
        let route = Route()
        let planner = planner(of: route)
        await planner.replan { () async throws(Problem) -> Int? in
            let plan = try route.plan()
            if route.revision == 0 {
                route.revision = 5
                await replan(planner, route)
                #expect(route.planned == [0])
            }
            return plan
        }
        #expect(route.planned == [0, 5])
        #expect(planner.isCurrent && planner.plan == 5)
    }

    @Test("The old plan is kept until there is a new one, or dropped", arguments: [true, false])
    func old(_ keeps: Bool) async {
        let route = Route()
        let planner = planner(of: route, keepsOldPlan: keeps)
        await replan(planner, route)
        route.revision = 1
        await planner.replan { () async throws(Problem) -> Int? in
            #expect(planner.plan == (keeps ? 0 : nil))
            return try route.plan()
        }
        #expect(planner.plan == 1)
    }

    @Test("A problem takes the place of the plan until the next plan; nothing to plan is neither")
    func problem() async {
        let route = Route()
        let planner = planner(of: route)
        await replan(planner, route)
        (route.revision, route.fails) = (1, true)
        await replan(planner, route)
        #expect(planner.isCurrent && planner.plan == nil && planner.problem == Problem())
        (route.revision, route.fails) = (2, false)
        await replan(planner, route)
        #expect(planner.isCurrent && planner.plan == 2 && planner.problem == nil)
        planner.invalidate()
        await planner.replan { () async throws(Problem) -> Int? in nil }
        #expect(planner.isCurrent && planner.plan == nil && planner.problem == nil)
    }
}
