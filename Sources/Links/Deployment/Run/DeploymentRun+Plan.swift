/// What a dry run prints in place of doing it.
extension DeploymentRun {
    /// The steps of an installation.
    mutating func planInstallation(of file: CompanionFile) {
        let short = file.checksum.prefix(CompanionFile.shortDigits)
        let folders = facts.missingFolders.map { "~/\($0)" }.joined(separator: " and ")
        if !folders.isEmpty { step("make \(folders)") }
        if !facts.partial.isEmpty { step("remove what is left of an upload that was cut") }
        let stored = facts.storedProgram(withChecksum: file.checksum)
        if let stored {
            step("no upload: \(stored) is there already")
        } else {
            step("upload \(ByteText.megabytes(file.bytes.count)) (\(file.path)) to ~/\(ScriptText.folder)")
        }
        let name = stored ?? "\(ScriptText.deployed)VERSION-\(short)"
        step("check it, run it once and point ~/.local/bin/uavlink-companion to \(name)")
        switch facts.installed {
        case .deployed(let current) where current != name:
            step("keep \(current) for --rollback")
            for old in facts.stored where old != current && old != name { step("remove \(old)") }
        case .other: step("keep what is at ~/.local/bin/uavlink-companion for --rollback and --remove")
        case .deployed, .nothing, .folder: break
        }
        planStart(of: name)
    }

    /// The steps that start a deployed program.
    mutating func planStart(of name: String) {
        switch restart(for: name) {
        case .none: step(options.wantsService && facts.hasUserManager ? "start it as a service" : "start it")
        case .unneeded: step("it runs already")
        case .impossible(let owner): step("leave the running companion, which is \(owner)")
        case .service: step("restart the service")
        case .process(let process): step("restart the running companion (process \(process))")
        }
        if options.wantsService {
            step(
                facts.hasUserManager
                    ? "write and enable ~/\(ServiceUnit.path)"
                    : "print the unit for the system: the user has no service manager")
        }
        step("open the channel and measure a round trip")
    }
}
