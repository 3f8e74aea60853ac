internal import UAVLink

/// Taking it away.
extension DeploymentRun {
    /// Removes everything that deployments have put there, and ends the companion that runs from it.
    mutating func remove() async throws(DeploymentFailure) {
        guard facts.hasDeployment || facts.unit == .ours else { return }
        try requireRemovable()
        try await requireIdle(at: .unchanged)
        guard !options.isDryRun else { return planRemoval() }
        // Until the vehicle's state is known takes a while, in which a companion may have been started.
        try await examineAgain(at: .unchanged)
        try requireRemovable()
        if endedCompanion != nil { try await requireIdle(at: .unchanged) }
        planRemoval()
        await target.endWatching()
        if let process = processToEnd { try await end(process: process) }
        let answer = try await ask(RemoveScripts.remove(for: vehicle), to: "remove the companion")
        if let other = answer["other"] { throw unitOfAnother(other) }
        if let reason = answer["failed"] {
            throw .link(
                LinkError(
                    .remoteFailed, "the service could not be stopped: \(reason); its programs were not removed",
                    hint: "on the vehicle: systemctl --user stop \(ServiceUnit.name); then repeat the command"))
        }
        report.removed = answer.all("removed")
        report.restored = answer.all("restored")
    }

    /// The steps of a removal.
    private mutating func planRemoval() {
        if let process = processToEnd { step("end the companion (process \(process))") }
        if facts.unit == .ours { step("disable and remove ~/\(ServiceUnit.path)") }
        step("remove ~/.local/bin/uavlink-companion and ~/\(ScriptText.folder)")
        if facts.hasOriginal { step("put back what was at ~/.local/bin/uavlink-companion before") }
    }

    /// The process of the companion that is ended here; the service manager ends our service.
    private var processToEnd: Int? {
        endedCompanion.flatMap { facts.isOurService($0) ? nil : $0.process }
    }

    private func requireRemovable() throws(DeploymentFailure) {
        try requireOwnUnit()
        try requireOwnPrograms()
    }
}
