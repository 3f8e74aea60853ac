package import Geodesy
package import Trajectories

/// What a plan's report says of the world that it was checked in: which one that is, and what speaks against it, such as a vehicle's world
/// that lies elsewhere, or has another border or obstacles.
package struct WorldFindings: Hashable, Sendable {
    /// The world; `nil` if none is known.
    package let world: CheckedWorld?
    /// What speaks against it.
    package let findings: [TrajectoryFinding]
    /// What it lists and does not count.
    package let missingChecks: [MissingCheck]

    /// Compares the worlds of a set-up.
    ///
    /// - Parameters:
    ///   - session: that of the set-up.
    ///   - comparesAreas: whether borders and obstacles of two worlds are compared, which takes long for large ones.
    package init(_ setup: WorldSetup, _ session: WorldSession?, comparesAreas: Bool = true) {
        world = setup.checkedWorld
        let elsewhere = setup.mismatchWarning(session).map { TrajectoryFinding(.safetyArea, text: $0) }
        // Of an area that is switched off the check says so itself.
        let area = setup.worldFile.map(\.safetyArea) ?? setup.ownWorld.file?.world.safetyArea
        let ignored = area?.isEnabled == true ? area?.ignoredObstacleCount ?? 0 : 0
        let obstacles = ignored == 1 ? "1 obstacle" : "\(ignored) obstacles"
        let off = "\(obstacles) of the world file not checked (switched off in it)"
        let ignoredChecks = ignored > 0 ? [MissingCheck(.obstacle, text: off)] : []
        // The warning about it is among those of the vehicle's own world, with the reason.
        let borderOnly = "obstacles not checked (the vehicle shows only the border of its safety area)"
        missingChecks =
            ignoredChecks + (setup.lacksObstacles(session) ? [MissingCheck(.obstacle, text: borderOnly)] : [])
        let isOfTwo = setup.worldFile != nil && setup.ownWorld.file != nil
        let ofOwn = comparesAreas || !isOfTwo ? setup.ownWorldWarnings(session) : []
        findings =
            ignoredChecks.map { TrajectoryFinding(.obstacle, .warning, text: $0.text) } + [elsewhere].compactMap(\.self)
            + ofOwn.map { TrajectoryFinding(.safetyArea, .warning, text: $0) }
    }

    /// Like ``init(_:_:comparesAreas:)``, off the main actor: world files have up to ten thousand corners.
    @concurrent
    fileprivate static func compared(_ setup: WorldSetup, _ session: WorldSession?) async -> Self {
        Self(setup, session)
    }
}

/// The findings about the world of the last plan: two worlds are compared once, and not again for each plan in them.
@MainActor
package final class WorldComparison {
    private var last: (setup: WorldSetup, hasSession: Bool, findings: WorldFindings)?
    /// Those of the last set-up that were asked for before its worlds were compared.
    private var uncompared: (setup: WorldSetup, hasSession: Bool, findings: WorldFindings)?
    /// How often two worlds were compared.
    package private(set) var comparisonCount = 0

    /// Nothing was compared yet.
    package init() {}

    /// What is known at once about a world: how it differs from the vehicle's own only if the two were compared.
    ///
    /// - Parameter session: that of the set-up.
    package func known(_ setup: WorldSetup, _ session: WorldSession?) -> WorldFindings {
        let hasSession = session != nil
        if let last, last.hasSession == hasSession, last.setup == setup { return last.findings }
        if let uncompared, uncompared.hasSession == hasSession, uncompared.setup == setup { return uncompared.findings }
        let found = WorldFindings(setup, session, comparesAreas: false)
        uncompared = (setup, hasSession, found)
        return found
    }

    /// The findings about a world.
    ///
    /// - Parameter session: that of the set-up.
    package func findings(_ setup: WorldSetup, _ session: WorldSession?) async -> WorldFindings {
        // Arrays that have not changed since are the same in memory, and equal at once.
        let hasSession = session != nil
        if let last, last.hasSession == hasSession, last.setup == setup { return last.findings }
        guard setup.worldFile != nil, setup.ownWorld.file != nil else { return WorldFindings(setup, session) }
        comparisonCount += 1
        let found = await WorldFindings.compared(setup, session)
        last = (setup, hasSession, found)
        return found
    }
}

extension TrajectoryPlan {
    /// The same with the world that it was checked in, and before the others what speaks against that world and was not checked of it.
    package func warned(of world: WorldFindings) -> Self {
        var warned = self
        warned.world = world
        warned.report.world = world.world
        warned.report.findings.insert(contentsOf: world.findings, at: 0)
        warned.report.missingChecks.insert(contentsOf: world.missingChecks, at: 0)
        return warned
    }
}
