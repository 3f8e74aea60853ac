internal import UAVLink

/// Taking it away.
extension DeploymentRun {
    /// Removes everything that deployments have put there, and ends the companion that runs from it.
    mutating func remove() async throws(DeploymentFailure) {
        guard facts.hasDeployment || facts.unit == .ours else { return }
        try requireOwnUnit()
        try requireOwnPrograms()
        try await requireIdle()
        let ended = endedCompanion.flatMap { facts.isOurService($0) ? nil : $0 }
        if let ended { step("end the companion (process \(ended.process))") }
        if facts.unit == .ours { step("disable and remove ~/\(ServiceUnit.path)") }
        step("remove ~/.local/bin/uavlink-companion and ~/\(ScriptText.folder)")
        if facts.hasOriginal { step("put back what was at ~/.local/bin/uavlink-companion before") }
        guard !options.isDryRun else { return }
        await target.endWatching()
        if let ended { try await end(process: ended.process) }
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
}
