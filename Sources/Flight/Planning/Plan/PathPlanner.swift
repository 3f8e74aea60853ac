/// Finds collision-free paths through a known map.
///
/// Complete at its resolution: when the centres of cells that the vehicle fits at connect two places, a path is found. The same
/// request gives the same path, always.
public struct PathPlanner: Sendable {
    /// The map.
    public let space: KnownSpace

    /// A planner for that map.
    public init(space: KnownSpace) { self.space = space }

    /// Plans; takes up to a second, so not on a thread that others wait for.
    ///
    /// - Parameters:
    ///   - isCancelled: asked often; when it says so, planning ends with ``PlanningError/cancelled``.
    ///   - progress: told the fraction done, from 0 to 1.
    /// - Throws: ``PlanningError`` for a request that makes no sense, or when it was cancelled.
    public func plan(
        _ request: PlanRequest, isCancelled: @escaping () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) throws(PlanningError) -> PlanOutcome {
        try request.validate()
        let work = PlanningWork(space: space, request: request, isCancelled: isCancelled)
        do throws(Interruption) {
            if let blocked = try work.blockedStop() { return .noPath(blocked) }
            return .path(try work.visitAll(progress))
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .noPath(let reason): return .noPath(reason)
            }
        }
    }
}

/// What ends planning early.
enum Interruption: Error {
    case cancelled
    case noPath(NoPath)
}
