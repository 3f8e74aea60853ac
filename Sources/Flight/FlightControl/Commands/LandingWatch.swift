internal import UAVLink

/// A condition that counts once it has lasted: states pass within a fraction of a second while the vehicle changes its tracker.
struct Lasting {
    private let least: Duration
    private var since: (measured: MonotonicTime, seen: MonotonicTime)?

    /// - Parameter least: how long it must last.
    init(_ least: Duration) { self.least = least }

    /// Takes the next measurement.
    ///
    /// It must have lasted by both times: without telemetry only `now` advances, and where a part of telemetry was lost, `measured`
    /// advances by more than the condition has lasted.
    ///
    /// - Parameters:
    ///   - measured: when it was measured; of several sources the newest.
    ///   - now: when it is seen here.
    /// - Returns: whether the condition has lasted long enough.
    mutating func lasts(_ isTrue: Bool, measured: MonotonicTime, now: MonotonicTime) -> Bool {
        guard isTrue else {
            since = nil
            return false
        }
        let begun = since ?? (measured: measured, seen: now)
        since = begun
        return measured - begun.measured >= least && now - begun.seen >= least
    }
}

/// Whether an accepted landing goes on, as telemetry shows it.
///
/// A command that came after it may end the landing or not: uav_core accepts a hover, which ends its way down to 2 m, and lands on
/// below; another flight stack holds. So only what the vehicle does counts: a landing has ended if the vehicle flies and takes goals
/// again, or stands still in the air.
struct LandingWatch {
    private let begun: MonotonicTime
    private var isUnderWay = false
    private var fliesAgain = Lasting(Self.stateSettling)
    private var fliesOn = Lasting(Self.beginning)
    private var standing: Sample<Vector3>?

    /// A state that lasts as long is not one of those between two trackers: these are passed within 0.1 s (real flight stack).
    private static let stateSettling: Duration = .milliseconds(500)
    /// Within this time an accepted landing shows: uav_core changes its tracker at once, and telemetry over SSH is a few seconds
    /// old.
    private static let beginning: Duration = .seconds(5)
    /// A vehicle that has moved no further for so long does not land: uav_core descends at 0.5 m/s, and begins within a second.
    private static let standingTime: Duration = .seconds(6)
    private static let standingMetres = 0.3
    /// Up to this height above ground a landing vehicle may stand: sensors of a landed one measure up to half a metre.
    private static let groundMetres = 1.0

    /// - Parameter begun: when the landing was accepted.
    init(begun: MonotonicTime) { self.begun = begun }

    /// Takes the newest telemetry.
    ///
    /// - Returns: why the vehicle does not land; `nil` while it may.
    mutating func failure(_ telemetry: Telemetry, now: MonotonicTime) -> String? {
        guard let status = telemetry.flight, status.at > begun else { return nil }
        let measured = telemetry.newestFlightSource ?? status.at
        let place = telemetry.pose.map { " at \($0.value.positionMetres.placeText)" } ?? ""
        if standsInAir(telemetry) { return "not landed: the vehicle hovers\(place)" }
        // A tracker's state from before the command says nothing; a machine without one has none.
        if let tracker = telemetry.tracker, tracker.at <= begun { return nil }
        let takesReferences = telemetry.tracker?.value.takesReferences ?? true
        let isFlying = status.value.state == .flying
        // Flying home it takes no references.
        if status.value.state == .landing || status.value.state == .emergency || (isFlying && !takesReferences) {
            isUnderWay = true
        }
        let isFree = isFlying && takesReferences
        let hasGoal = telemetry.tracker?.value.hasGoal ?? false
        let hasEnded = fliesAgain.lasts(isFree && isUnderWay, measured: measured, now: now)
        // Another machine may fly home as to any other goal.
        let hasNotBegun = fliesOn.lasts(isFree && !isUnderWay && !hasGoal, measured: measured, now: now)
        return hasEnded || hasNotBegun ? "not landed: the vehicle keeps flying\(place)" : nil
    }

    private mutating func standsInAir(_ telemetry: Telemetry) -> Bool {
        guard let height = telemetry.heightAboveGroundMetres, height.at > begun, height.value > Self.groundMetres,
            telemetry.flight?.value.state.isAirborne == true, let pose = telemetry.pose, pose.at > begun
        else {
            standing = nil
            return false
        }
        let place = pose.value.positionMetres
        guard let standing, (place - standing.value).length <= Self.standingMetres else {
            self.standing = Sample(place, at: pose.at)
            return false
        }
        return pose.at - standing.at >= Self.standingTime
    }
}
