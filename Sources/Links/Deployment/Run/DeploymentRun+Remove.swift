/// Taking it away.
extension DeploymentRun {
    /// Removes everything that deployments have put there, and ends the companion that runs from it.
    mutating func remove() async throws(DeploymentFailure) {
        guard facts.hasDeployment || facts.unit == .ours else { return }
        try await requireIdle()
        let deployed = companion.flatMap { companion in
            companion.isOwn && companion.program.hasPrefix(facts.folder + "/") ? companion : nil
        }
        if let deployed, !deployed.isOurService { step("end the companion (process \(deployed.process))") }
        if facts.unit == .ours { step("disable and remove ~/\(ServiceUnit.path)") }
        step("remove ~/.local/bin/uavlink-companion and ~/\(ScriptText.folder)")
        if facts.hasOriginal { step("put back what was at ~/.local/bin/uavlink-companion before") }
        guard !options.isDryRun else { return }
        await target.endWatching()
        // The service manager ends its own.
        if let deployed, !deployed.isOurService { try await end(process: deployed.process) }
        let answer = try await ask(RemoveScripts.remove, to: "remove the companion")
        report.removed = answer.all("removed")
        report.restored = answer.all("restored")
    }
}
