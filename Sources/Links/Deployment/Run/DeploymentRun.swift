internal import UAVLink
internal import VehicleAccess

/// One deployment while it goes on: what is known and what was done so far.
///
/// ```
///   examine ──▶ refuse or plan ──▶ prepare ──▶ upload ──▶ check, run, switch ──▶ examine ──▶ refuse or restart ──▶ one round trip
///                    │                                          │                                  │
///                    └─ nothing was changed                     │                                  └─ nothing was restarted
///                                                               └─ until here the companion before is the one that is used
/// ```
struct DeploymentRun {
    let target: any DeploymentTarget
    let settings: Deployment.Settings
    let options: DeploymentOptions
    let clock: any MonotonicClock
    let tell: @Sendable (DeploymentEvent) -> Void
    var report: DeploymentReport
    /// The vehicle's computer as the newest look found it; the report has what the first one found.
    var facts: HostFacts

    var vehicle: String { settings.vehicle }

    /// Says what is done now, or with a dry run would be.
    mutating func step(_ text: String) {
        report.steps.append(text)
        tell(.step(text))
    }

    /// Warns of something, once however often it is found.
    mutating func warn(_ text: String) {
        guard !report.warnings.contains(text) else { return }
        report.warnings.append(text)
        tell(.warning(text))
    }

    /// Runs a script and reads its answer.
    ///
    /// - Parameters:
    ///   - what: what it does, for the message of a failure.
    ///   - stage: how far the deployment has come.
    func ask(
        _ script: String, to what: String, at stage: DeploymentStage = .unchanged
    ) async throws(DeploymentFailure) -> ScriptAnswer {
        let result = try await target.run(script, within: settings.scriptTimeout)
        let answer = ScriptAnswer(result.output)
        guard answer.isComplete else {
            throw .link(
                LinkError(
                    .remoteFailed, "the vehicle's computer could not \(what): \(result.reason)",
                    hint: "log in and check that 'sh' works there: uavlink terminal"))
        }
        // Every script that changes what is deployed asks for the lock before it changes anything.
        if let holder = answer["busy"] {
            let advice = "repeat the command when it has ended"
            throw .refused(
                "another deployment is under way on the vehicle (\(holder)): could not \(what)",
                hint: stage == .unchanged ? "\(unchanged); \(advice)" : stage.hint(advice))
        }
        return answer
    }

    /// What holds for the deployed program until another one is in its place, as a clause.
    var unchanged: String {
        switch facts.installed {
        case .deployed: "what was deployed before is unchanged"
        case .other: "what was at ~/.local/bin/uavlink-companion before is unchanged"
        case .nothing, .folder: "nothing is deployed"
        }
    }

    // MARK: Whether it may be done

    /// Looks at the vehicle's computer again, just before a companion is ended or a service is started: an upload takes a
    /// while, in which a companion may have been started or have ended.
    mutating func examineAgain(at stage: DeploymentStage) async throws(DeploymentFailure) {
        do throws(DeploymentFailure) {
            facts = try await target.examine(within: settings.scriptTimeout)
        } catch {
            throw error.saying("\(stage.outcome): \(error.what)", hint: stage.hint(error.hint))
        }
    }

    /// Refuses while the vehicle flies, is armed, or has a pilot: before anything is changed, and again just before a companion
    /// is ended, since the vehicle may have taken off, or a pilot may have taken control authority.
    ///
    /// - Parameter name: the name in our folder of the program that is deployed, if it is there already.
    mutating func requireIdle(at stage: DeploymentStage, for name: String? = nil) async throws(DeploymentFailure) {
        let condition = await target.flightCondition(hasCompanion: companion != nil, within: settings.timeout)
        if Task.isCancelled { throw .link(LinkError(.cancelled, "the deployment was cancelled")) }
        let endsCompanion = endedCompanion != nil && !staysRunning(for: name)
        var obstacles = [condition.obstacle(of: vehicle, endsCompanion: endsCompanion)].compactMap(\.self)
        if obstacles.isEmpty, let assumption = condition.assumption(of: vehicle) { warn(assumption) }
        if let companion, companion.isOwn, obstacles.allSatisfy({ isPassed($0) }), let pilot = await pilot() {
            obstacles.append(
                FlightCondition.Obstacle(
                    what: "\(pilot) has control authority over \(vehicle)",
                    hint: "wait until it is released, or repeat the command with --force", canBeForced: true))
        }
        for obstacle in obstacles {
            guard isPassed(obstacle) else {
                throw .refused("\(obstacle.what): \(stage.outcome)", hint: stage.hint(obstacle.hint))
            }
            warn(obstacle.what)
        }
    }

    private func isPassed(_ obstacle: FlightCondition.Obstacle) -> Bool { options.isForced && obstacle.canBeForced }

    /// The pilot of the running companion; `nil` if there is none, or it does not say.
    private func pilot() async -> String? {
        guard let program = settings.namedCompanion ?? facts.found else { return nil }
        let result = try? await target.runAfterSetup(program, ["--uav", vehicle, "status"], within: settings.timeout)
        guard let result, result.status == 0 else { return nil }
        return CompanionStatus(result.output)?.pilot
    }

    // MARK: The running companion

    /// The companion that serves the vehicle; of several one of the user.
    var companion: HostFacts.Running? {
        let ours = facts.running.filter { $0.vehicle == vehicle }
        return ours.first { $0.isOwn } ?? ours.first
    }

    /// The companion of the vehicle that the action ends; `nil` if it ends none.
    ///
    /// A removal ends a companion of the user that runs from what is removed, whoever has started it, and our service. For an
    /// installation it is the one that may be ended: see ``staysRunning(for:)``.
    var endedCompanion: HostFacts.Running? {
        switch options.action {
        case .install, .rollBack: return isCompanionReplaceable ? companion : nil
        case .remove:
            let ended = facts.running.filter {
                $0.vehicle == vehicle && $0.isOwn && (facts.isDeployed($0) || facts.isOurService($0))
            }
            // The service manager ends its own.
            return ended.first { !facts.isOurService($0) } ?? ended.first
        }
    }

    /// Whether the running companion stays, since it is the program with this name already; a service takes its place anyway.
    private func staysRunning(for name: String?) -> Bool {
        guard let name, !(options.wantsService && facts.hasUserManager) else { return false }
        return restart(for: name) == .unneeded
    }

    /// Whether the running companion is one that an installation may end: an ordinary process of the user, or our service.
    var isCompanionReplaceable: Bool {
        companion.map { $0.isOwn && ($0.unit == nil || facts.isOurService($0)) } ?? false
    }

    /// What is done with the running companion so that the deployed one serves the vehicle.
    enum Restart: Hashable {
        /// None runs: the first bootstrap starts it.
        case none
        /// It is the deployed program already.
        case unneeded
        /// It was started on demand, and is ended.
        case process(Int)
        /// It is our service.
        case service
        /// It belongs to somebody else, for this reason, and stays.
        case impossible(String)
    }

    /// - Parameter name: the name of the deployed program in our folder.
    func restart(for name: String) -> Restart {
        guard let companion else { return .none }
        guard companion.isOwn else { return .impossible("another user's process \(companion.process)") }
        if companion.program == "\(facts.folder)/\(name)" { return .unneeded }
        if facts.isOurService(companion) { return .service }
        if let unit = companion.unit { return .impossible("the service \(unit)") }
        return .process(companion.process)
    }

    /// Ends the running companion of the user and waits until it is gone.
    func end(process: Int) async throws(DeploymentFailure) {
        let result = try await target.runAfterSetup(
            VehicleProfile.deployedCompanion, ["--uav", vehicle, "stop"], within: settings.timeout)
        var reason = result.reason
        if result.status == 0 {
            let answer = try await ask(RemoveScripts.awaitEnd(of: process), to: "wait for the companion's end")
            guard answer.has("alive") else { return }
            reason = "it still runs 5 s after it was asked to end"
        }
        throw .link(
            LinkError(
                .companionUnavailable, "the running companion (process \(process)) could not be ended: \(reason)",
                hint: "end it on the vehicle, and repeat the command"))
    }
}
