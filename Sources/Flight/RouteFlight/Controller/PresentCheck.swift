internal import FlightVolume
internal import ReportKit
internal import Trajectories
package import UAVLink

/// What remains of a trajectory that was stopped.
package struct RemainingFlight: Hashable, Sendable {
    /// Flown fraction, 0 to 1.
    package var flownFraction: Double
    /// Path length, metres.
    package var lengthMetres: Double
    package var durationSeconds: Double
    /// Where it continues, metres in `world_origin`.
    package var position: Vector3
}

/// What the user confirms before the vehicle flies the route that it holds.
extension RouteFlightController {
    /// Whether it was stopped on its way, so that resuming continues there.
    package var isStopped: Bool { if case .stopped = state { true } else { false } }

    /// What remains of the route; `nil` if it was not stopped on its way, or the vehicle did not report how far it
    /// came.
    package var remaining: RemainingFlight? {
        guard case .stopped(let held, _) = state, flight.progress.trackedAt != nil, flight.progress.length > 1 else {
            return nil
        }
        let (fraction, generated) = (max(0, flight.progress.fraction), held.plan.generated)
        let points = generated.trajectory.points
        guard !points.isEmpty else { return nil }
        let rest = points[Int(saturating: fraction * Double(points.count - 1))...]
        return RemainingFlight(
            flownFraction: fraction,
            lengthMetres: zip(rest, rest.dropFirst()).reduce(0) { $0 + ($1.1.position - $1.0.position).length },
            durationSeconds: (1 - fraction) * generated.durationSeconds, position: rest[rest.startIndex].position)
    }

    /// The held route with the findings of when it was sent, and battery and position of the vehicle, and the world, as they
    /// are now; `nil` if the vehicle holds none.
    ///
    /// The battery is checked for what ``remaining`` says before resuming, and for the whole route otherwise; in another world than when it
    /// was sent the whole path is checked, also of what was flown before a stop. Until that check has ended (``check(in:)``), a finding that
    /// says so is a failure.
    ///
    /// - Parameter world: the present one; `nil`: that of when it was sent.
    package func confirmation(of action: RouteAction, in world: PresentWorld? = nil) -> FlightConfirmation? {
        guard let held else { return nil }
        let sent = held.plan.conditions
        let volume = if let world { world.volume } else { sent.volume }
        var now = flight.conditions(sent.settings, volume: volume).limited(by: sent.fileLimits)
        // For a time after a change of the battery or the link there is no measured one.
        now.measuredEnduranceSeconds = now.measuredEnduranceSeconds ?? sent.measuredEnduranceSeconds
        let isResumed = action == .resume
        var plan = held.plan.updated(
            now, seconds: isResumed ? remaining?.durationSeconds : nil, fliesToStart: !isResumed,
            world.map { recheck(held.plan, in: $0) } ?? WorldRecheck())
        if let world { (plan.world, plan.report.world) = (world.findings, world.findings.world) }
        return FlightConfirmation(plan, leastClearanceMetres: held.leastClearanceMetres, version: held.version)
    }

    /// Whether the held route was checked where flight is allowed now; also where the present world is not known.
    package func wasChecked(in world: PresentWorld?) -> Bool {
        guard let world, let held else { return true }
        return held.plan.conditions.volume == world.volume
    }

    /// Whether nothing is to be awaited of checking the path of the held route where flight is allowed now.
    package func isChecked(in world: PresentWorld?) -> Bool {
        guard let world, !wasChecked(in: world) else { return true }
        return !beginsCheck(in: world) && areaCheck?.result != nil
    }

    /// Whether ``check(in:)`` has something to check that is not being checked already.
    package func beginsCheck(in world: PresentWorld) -> Bool {
        guard !wasChecked(in: world) else { return false }
        guard let areaCheck else { return true }
        return areaCheck.volume != world.volume
    }

    /// Checks the path of the held route where flight is allowed now, off the main actor and once in each world: that takes long for a
    /// large one, and a question is shown again and again.
    package func check(in world: PresentWorld) async {
        guard let plan = held?.plan, beginsCheck(in: world) else { return }
        let check = PresentAreaCheck(in: world.volume)
        areaCheck = check
        check.result = await plan.recheck(in: world.volume)
    }

    /// What the present world changes of what was found when the held route was sent.
    private func recheck(_ plan: TrajectoryPlan, in world: PresentWorld) -> WorldRecheck {
        var all = WorldRecheck()
        if world.findings != plan.world {
            all = WorldRecheck(outdated: plan.world?.findings ?? [], found: world.findings.findings)
        }
        guard world.volume != plan.conditions.volume else { return all }
        guard !beginsCheck(in: world), let ofArea = areaCheck?.result else {
            all.found.append(TrajectoryFinding(.safetyArea, text: "the path is being checked in the present world"))
            return all
        }
        all.outdated += ofArea.outdated
        all.found += ofArea.found
        return all
    }
}

extension TrajectoryPlan {
    /// The same with what changes after it was sent: the battery, the vehicle's way to the first sample, and the world.
    ///
    /// It takes the same short time for a trajectory of any length: what another world changes was looked at before. If a check failed when
    /// it was sent, one fails here, too.
    ///
    /// - Parameters:
    ///   - seconds: for how long it is flown; `nil`: to its end, from the beginning.
    ///   - fliesToStart: whether the vehicle flies to the first sample.
    ///   - world: what the present world changes.
    func updated(
        _ now: FlightConditions, seconds: Double? = nil, fliesToStart: Bool = true, _ world: WorldRecheck
    ) -> Self {
        let battery = batteryReport(now, seconds: seconds ?? generated.durationSeconds)
        let outdated = world.outdated + report.findings.filter { $0.kind == .battery } + findingsOfWay(conditions)
        let fresh =
            world.found + (fliesToStart ? findingsOfWay(now) : []) + battery.findings.filter { $0.kind == .battery }
        var plan = self
        (plan.conditions, plan.vehiclePosition) = (now, now.vehiclePosition)
        (plan.report.batteryNeeded, plan.report.batteryRemaining) = (battery.batteryNeeded, battery.batteryRemaining)
        plan.report.findings = fresh + report.findings.filter { !outdated.contains($0) }
        if !report.isOK, plan.report.isOK {
            plan.report.findings =
                outdated.filter { $0.weight == .failure }.map {
                    var finding = $0
                    finding.text = "when it was sent: " + finding.text
                    return finding
                } + plan.report.findings
        }
        return plan
    }

    /// The report of a check of the battery, for a flight of some seconds.
    private func batteryReport(_ now: FlightConditions, seconds: Double) -> TrajectoryReport {
        // Two samples as far apart in time as the flight is long: the battery's check needs no others.
        var flight = GeneratedTrajectory(
            trajectory: generated.trajectory, pointSamples: [0], points: Array(generated.points.prefix(1)))
        let first = Array(generated.trajectory.points.prefix(1))
        flight.trajectory.points = seconds > 0 ? first + first : first
        if seconds > 0 { flight.trajectory.timeStepSeconds = seconds }
        return TrajectoryCheck(limits: now.limits ?? .medium, battery: now.check.battery).report(on: flight)
    }

    /// What the checks find on the straight line from the vehicle to the first sample, and on its length.
    private func findingsOfWay(_ conditions: FlightConditions) -> [TrajectoryFinding] {
        guard conditions.vehiclePosition != nil, !generated.trajectory.points.isEmpty else { return [] }
        var start = GeneratedTrajectory(
            trajectory: generated.trajectory, pointSamples: [0], points: Array(generated.points.prefix(1)))
        start.trajectory.points = Array(generated.trajectory.points.prefix(1))
        var check = conditions.check
        let all = check.report(on: start).findings
        check.vehiclePosition = nil
        let ofStart = check.report(on: start).findings
        return all.filter { !ofStart.contains($0) }
    }
}
