internal import UAVLink

/// Starting what was deployed.
extension DeploymentRun {
    /// Ends a companion that runs, so that the first bootstrap starts the deployed one.
    mutating func start(_ name: String) async throws(DeploymentFailure) {
        try await lookAgain()
        switch restart(for: name) {
        case .none: step("start it")
        case .unneeded: step("it runs already")
        case .impossible(let owner):
            warn("the running companion is \(owner): it was not restarted, and serves \(vehicle) until it ends")
        case .service:
            try await requireIdle(at: .switched)
            await target.endWatching()
            step("restart the service")
            do throws(DeploymentFailure) {
                try Self.requireActive(try await ask(ServiceScripts.restart, to: "restart the service", at: .switched))
            } catch {
                throw afterRestart(of: name, error)
            }
            report.hasRestarted = true
        case .process(let process):
            try await requireIdle(at: .switched)
            // An open link would start the old one again.
            await target.endWatching()
            step("restart the running companion (process \(process))")
            do throws(DeploymentFailure) { try await end(process: process) } catch {
                throw afterRestart(of: name, error)
            }
            report.hasRestarted = true
        }
    }

    /// Makes the companion a service of the user, or says how it becomes one of the system.
    mutating func startService(_ name: String) async throws(DeploymentFailure) {
        guard facts.hasUserManager else { return try await startWithoutManager(name) }
        let text = try await unit()
        try await lookAgain()
        guard facts.hasUserManager else { return try await startWithoutManager(name) }
        // Of somebody else it is none: see `requireServiceable`.
        if companion != nil { try await requireIdle(at: .switched) }
        await target.endWatching()
        if let companion {
            if !facts.isOurService(companion) {
                step("end the running companion (process \(companion.process))")
                do throws(DeploymentFailure) { try await end(process: companion.process) } catch {
                    throw afterRestart(of: name, error)
                }
            }
            report.hasRestarted = true
        }
        step("write and enable ~/\(ServiceUnit.path)")
        let answer: ScriptAnswer
        do throws(DeploymentFailure) {
            answer = try await ask(
                ServiceScripts.install(text, for: vehicle), to: "install the service", at: .switched)
        } catch {
            throw afterRestart(of: name, error)
        }
        if let reason = answer["absent"] {
            return printInstructions(because: "the user's service manager does not answer: \(reason)")
        }
        if answer.has("foreign") { throw Self.foreignUnit }
        if let other = answer["other"] { throw unitOfAnother(other) }
        try Self.requireActive(answer)
        report.service = "enabled"
        if !facts.lingers {
            warn(
                "the service ends at the last log-out of \(facts.user), unless: "
                    + "sudo loginctl enable-linger \(facts.user)")
        }
    }

    /// The network may be cut once the running companion was asked to end: then nothing shows whether it has ended, and nothing has
    /// started the deployed one.
    private func afterRestart(of name: String, _ error: DeploymentFailure) -> DeploymentFailure {
        guard Self.isCut(error) else { return error }
        return error.saying(
            "\(name) is in its place, but perhaps no companion runs now: \(error.what)",
            hint: [error.hint, repetition].filter { !$0.isEmpty }.joined(separator: "; "))
    }

    private static func isCut(_ error: DeploymentFailure) -> Bool {
        guard case .link(let link) = error else { return false }
        return [LinkError.Code.notConnected, .timedOut, .unreachable, .closed].contains(link.code)
    }

    /// What starts a companion where perhaps none runs; a second rollback would return to the one that was just left.
    private var repetition: String {
        switch options.action {
        case .install: "repeat the command, which starts it"
        case .rollBack, .remove: "the next connection starts it: uavlink doctor"
        }
    }

    private mutating func startWithoutManager(_ name: String) async throws(DeploymentFailure) {
        printInstructions(because: "the user has no service manager")
        try await start(name)
    }

    /// What runs now may be ended by the same rules as what ran before the upload.
    private mutating func lookAgain() async throws(DeploymentFailure) {
        try await examineAgain(at: .switched)
        try requireServiceable(at: .switched)
    }

    private mutating func printInstructions(because reason: String) {
        warn("\(reason): the companion can only be a service of the system, which needs root")
        report.service = "printed"
        report.instructions = ServiceUnit.systemInstructions(user: facts.user, vehicle: vehicle)
    }

    /// The text of the unit, with the environment that the profile's set-up makes.
    private func unit() async throws(DeploymentFailure) -> String {
        let printed = try await target.runAfterSetup(
            "/bin/sh", ["-c", ServiceScripts.variables], within: settings.timeout)
        return ServiceUnit.text(
            vehicle: vehicle, bind: settings.bind, variables: ServiceUnit.variables(printed.output))
    }

    private static func requireActive(_ answer: ScriptAnswer) throws(DeploymentFailure) {
        guard !answer.has("active") else { return }
        let reason = answer["failed"] ?? answer["absent"] ?? "no reason given"
        throw .link(
            LinkError(
                .remoteFailed, "the service did not start: \(reason)",
                hint: "on the vehicle: journalctl --user -u \(ServiceUnit.name)"))
    }

    /// Opens the channel and measures a round trip, which starts the companion if none runs.
    mutating func prove(_ name: String) async throws(DeploymentFailure) {
        step("open the channel and measure a round trip")
        let proof: ChannelProof
        do throws(DeploymentFailure) {
            proof = try await target.proveChannel(within: settings.timeout)
        } catch {
            let isUncertain = report.hasRestarted && Self.isCut(error)
            var hints = [error.hint]
            if isUncertain { hints.append(repetition) }
            // After a rollback it would return to the one that was just left.
            if options.action == .install, report.previous != nil {
                hints.append("'\(settings.command) --rollback' returns to the one before")
            }
            let doubt = isUncertain ? ", and perhaps no companion runs now" : ""
            throw error.saying(
                "\(name) is deployed, but the channel to it could not be opened\(doubt): \(error.what)",
                hint: hints.filter { !$0.isEmpty }.joined(separator: "; "))
        }
        report.proof = proof
        if let version = report.version, proof.version != version {
            let running = proof.version.isEmpty ? "an older one" : "version \(proof.version)"
            warn("the companion that answers is \(running), not the deployed \(version)")
        }
    }
}
