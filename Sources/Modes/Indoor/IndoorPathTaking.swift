internal import RouteFlight

/// The planned path as the route.
extension IndoorInteractor {
    /// Replaces the route by the plan's path, with its corners, and turns off ``IndoorPlanSettings/avoidsObstacles``.
    ///
    /// - Returns: whether there was a current plan.
    package func takePath() -> Bool {
        guard let plan, isPlanCurrent, plan.path.count > 1 else { return false }
        let number = desk.takenPaths.count + 1
        desk.takenPaths[number] = desk.planning.avoidsObstacles
        desk.editor.replace(with: plan.path, origin: number)
        desk.planning.avoidsObstacles = false
        settingsChanged()
        return true
    }

    /// Sets ``IndoorPlanSettings/avoidsObstacles`` back where a step has brought back the points from before ``takePath()``, or the
    /// path.
    ///
    /// - Parameter before: the editor's `origin` before the step.
    /// - Returns: whether it was changed.
    func followStep(from before: Int?) -> Bool {
        let after = desk.editor.origin
        guard after != before else { return false }
        let wanted =
            if let after, desk.takenPaths[after] != nil { false } else {
                before.flatMap { desk.takenPaths[$0] } ?? desk.planning.avoidsObstacles
            }
        guard wanted != desk.planning.avoidsObstacles else { return false }
        desk.planning.avoidsObstacles = wanted
        settingsChanged()
        return true
    }
}
