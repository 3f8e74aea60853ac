/// Finds collision-free paths through a known map.
///
/// Resolution complete: if the centres of cells at which the vehicle fits connect two places, a path is found. Of other ways,
/// the widest one between the cells' centres is tried.
/// Deterministic: the same request gives the same path.
public struct PathPlanner: Sendable {
    /// The map.
    public let space: KnownSpace

    /// A planner for that map.
    public init(space: KnownSpace) { self.space = space }

    /// Plans a path; takes up to a second, so do not call it on a thread that others wait for.
    ///
    /// - Parameters:
    ///   - isCancelled: polled often; when it returns `true`, planning ends with ``PlanningError/cancelled``.
    ///   - progress: called with the completed fraction, from 0 to 1.
    /// - Throws: ``PlanningError`` for an invalid request, or when it was cancelled.
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

/// Ends planning early.
enum Interruption: Error {
    case cancelled
    case noPath(NoPath)
}
