/// What the vehicle's computer must be like; each check refuses before anything was begun.
extension DeploymentRun {
    /// A home in which a program can be put and run.
    func requireHome() throws(DeploymentFailure) {
        guard facts.system == "Linux" else {
            throw .refused(
                "the vehicle's computer runs \(facts.system.isEmpty ? "an unknown system" : facts.system), and the "
                    + "companion is a program for Linux", hint: "'--link ssh' needs no companion")
        }
        switch facts.homeProblem {
        case .missing?:
            let home = facts.home.isEmpty ? "" : ": \(facts.home)"
            throw .refused(
                "the user \(facts.user) has no home folder on the vehicle\(home)",
                hint: "create it, or log in as another user")
        case .blocked(let file)?:
            throw .refused("\(file) is in the place of a folder", hint: "move it away")
        case .dangling(let link)?:
            throw .refused(
                "a symbolic link that leads nowhere is in the place of a folder: \(link)",
                hint: "remove the link, or make the folder that it leads to")
        case .unwritable(let folder)?:
            throw .refused(
                "the user \(facts.user) cannot write into \(folder)",
                hint: "change its owner or mode, or mount it for writing")
        case nil: break
        }
        if facts.installed == .folder {
            throw .refused(
                "\(facts.home)/.local/bin/uavlink-companion is a folder, or a link to one", hint: "move it away")
        }
        guard facts.isNoexec != true else {
            throw .refused(
                "the home \(facts.home) is mounted noexec, so that no program can run from it",
                hint: "mount it without noexec; or copy the companion to /usr/local/bin with root rights")
        }
    }

    /// Room for the program beside those that are there.
    func requireSpace(for file: CompanionFile) throws(DeploymentFailure) {
        guard facts.storedProgram(withChecksum: file.checksum) == nil else { return }
        guard let free = facts.freeBytes, free < file.bytes.count + Self.spareBytes else { return }
        throw .refused(
            "the file system of \(facts.home) has \(ByteText.megabytes(free)) free, and the companion needs "
                + ByteText.megabytes(file.bytes.count), hint: "remove something there")
    }

    /// What must stay free, bytes: a full disk is an error for every program.
    private static let spareBytes = 1 << 20
}
