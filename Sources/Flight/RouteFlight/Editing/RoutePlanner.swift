/// Plans a route again after each change of it or of what its plan depends on, and keeps the last result.
@MainActor
package final class RoutePlanner<Plan: Sendable, Problem: Error> {
    /// What a plan was made of.
    private struct Key: Hashable {
        var route: Int
        var settings: Int
    }

    /// The last plan; see ``isCurrent``.
    package private(set) var plan: Plan?
    /// Why planning failed.
    package private(set) var problem: Problem?
    private let revision: @MainActor () -> Int
    private let keepsOldPlan: Bool
    private var settings = 0
    private var planned: Key?
    private var isPlanning = false

    /// A planner of a route that was not planned yet.
    ///
    /// - Parameters:
    ///   - keepsOldPlan: whether the old plan is kept until there is a new one.
    ///   - revision: the revision of the route, such as ``RouteEditor/revision``.
    package init(keepsOldPlan: Bool, revision: @escaping @MainActor () -> Int) {
        self.keepsOldPlan = keepsOldPlan
        self.revision = revision
    }

    /// Whether the plan is of the route and the settings as they are now.
    package var isCurrent: Bool { planned == wanted }

    /// Invalidates the plan: something else than the route has changed.
    package func invalidate() { settings += 1 }

    private var wanted: Key { Key(route: revision(), settings: settings) }

    /// Plans until the plan is current; returns at once when a call is already planning.
    ///
    /// - Parameter make: makes the plan of the route as it is now; `nil` when there is nothing to plan.
    package func replan(_ make: @MainActor () async throws(Problem) -> Plan?) async {
        guard !isPlanning else { return }
        isPlanning = true
        defer { isPlanning = false }
        while planned != wanted, !Task.isCancelled {
            let key = wanted
            if !keepsOldPlan { (plan, problem) = (nil, nil) }
            do throws(Problem) {
                let made = try await make()
                (plan, problem) = (made, nil)
            } catch {
                (plan, problem) = (nil, error)
            }
            planned = key
        }
    }
}
