package import FlightVolume
internal import Trajectories

/// The world that routes are checked in now, which may be another one than when a route was sent.
package struct PresentWorld: Hashable, Sendable {
    /// Where it allows flight; `nil` if that is not known.
    package var volume: FlyableVolume?
    /// Which world it is, and what speaks against it.
    package var findings: WorldFindings

    /// A world.
    package init(volume: FlyableVolume?, findings: WorldFindings) {
        self.volume = volume
        self.findings = findings
    }
}

/// What checking a route in another world than when it was sent changes.
struct WorldRecheck: Sendable {
    /// What was found then, and does not count any longer.
    var outdated: [TrajectoryFinding] = []
    /// What is found now.
    var found: [TrajectoryFinding] = []
}

/// The check of the held route where flight is allowed now, in another world than when it was sent.
@MainActor
final class PresentAreaCheck {
    /// Where it is allowed.
    let volume: FlyableVolume?
    /// What it has found; `nil` until it ends.
    var result: WorldRecheck?

    /// A check that has not ended.
    init(in volume: FlyableVolume?) { self.volume = volume }
}

extension TrajectoryPlan {
    /// Checks the path where flight is allowed now, off the main actor: it takes as long as that part of the first check.
    @concurrent
    func recheck(in volume: FlyableVolume?) async -> WorldRecheck {
        var check = conditions.check
        let outdated = check.areaFindings(on: generated)
        check.volume = volume
        return WorldRecheck(outdated: outdated, found: check.areaFindings(on: generated))
    }
}
