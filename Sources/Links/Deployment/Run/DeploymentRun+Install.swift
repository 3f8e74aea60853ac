internal import UAVLink

extension DeploymentRun {
    /// Installs the program of this machine for the vehicle's architecture, and starts it.
    mutating func install(_ files: CompanionFiles) async throws(DeploymentFailure) {
        try requireHome()
        guard let path = files.path(facts.architecture) else { throw files.missing(facts.architecture) }
        let file = try await CompanionFile.read(path)
        try file.require(facts.architecture)
        report.program = path
        report.checksum = file.checksum
        try requireSpace(for: file)
        try requireServiceable(at: .unchanged)
        if let named = settings.namedCompanion {
            warn(
                "the profile names 'companion: \(named)', which is used in place of the deployed one: remove that line")
        }
        try await requireIdle(at: .unchanged, for: facts.storedProgram(withChecksum: file.checksum))
        guard !options.isDryRun else { return planInstallation(of: file) }
        try await prepare()
        let answer = try await put(file)
        try await use(answer)
    }

    /// Goes back to the program that was deployed before, and starts it.
    mutating func rollBack() async throws(DeploymentFailure) {
        guard case .deployed = facts.installed else { throw Self.nothingToRollBack(settings.command) }
        guard let previous = facts.previous, facts.installed != .deployed(previous) else { throw Self.noPrevious }
        try requireServiceable(at: .unchanged)
        try await requireIdle(at: .unchanged, for: previous)
        step("point ~/.local/bin/uavlink-companion to \(previous)")
        guard !options.isDryRun else { return planStart(of: previous) }
        let answer = try await ask(InstallScripts.rollBack, to: "go back to the companion before")
        if answer.has("foreign") { throw Self.nothingToRollBack(settings.command) }
        if answer.has("none") { throw Self.noPrevious }
        try await use(answer)
    }

    private static func nothingToRollBack(_ command: String) -> DeploymentFailure {
        .refused("no companion is deployed there", hint: "'\(command)' deploys one")
    }

    private static let noPrevious = DeploymentFailure.refused(
        "no earlier companion is kept there", hint: "deploy the one that you want with --program")

    // MARK: Steps

    private mutating func prepare() async throws(DeploymentFailure) {
        let answer = try await ask(InstallScripts.prepare, to: "make the folders")
        guard answer.has("prepared") else {
            throw .link(
                LinkError(
                    .remoteFailed, "the vehicle could not make a folder: \(answer["failed"] ?? "no reason given")",
                    hint: "can the user write into the home?"))
        }
    }

    /// Uploads the program unless it is there already, checks it and switches to it.
    private mutating func put(_ file: CompanionFile) async throws(DeploymentFailure) -> ScriptAnswer {
        if let stored = facts.storedProgram(withChecksum: file.checksum) {
            step("no upload: \(stored) is there already")
            let answer = try await ask(
                InstallScripts.install(stored, checksum: file.checksum), to: "check the program")
            // A file that was changed since is uploaded again.
            if !answer.has("damaged") { return answer }
        }
        let name = "\(ScriptText.incoming)\(file.checksum.prefix(CompanionFile.shortDigits))"
        try await upload(file, to: "\(facts.folder)/\(name)")
        step("check it, run it once and point ~/.local/bin/uavlink-companion to it")
        return try await ask(InstallScripts.install(name, checksum: file.checksum), to: "check the program")
    }

    private mutating func upload(_ file: CompanionFile, to path: String) async throws(DeploymentFailure) {
        let total = file.bytes.count
        step("upload \(ByteText.megabytes(total)) (\(file.path))")
        let meter = UploadMeter(total: total, clock: clock, tell: tell)
        do throws(DeploymentFailure) {
            try await target.upload(file.bytes, to: path) { meter.confirm($0) }
        } catch {
            tell(.uploadEnded)
            let advice = "what was deployed before is unchanged; repeat the command"
            throw error.saying(
                "the upload ended after \(ByteText.megabytes(meter.confirmed)) of \(ByteText.megabytes(total)): "
                    + error.what, hint: error.hint.isEmpty ? advice : "\(error.hint); \(advice)")
        }
        tell(.uploadEnded)
        report.upload = DeploymentReport.Upload(bytes: total, duration: meter.duration)
    }

    /// Uses the program that a script has switched to.
    private mutating func use(_ answer: ScriptAnswer) async throws(DeploymentFailure) {
        let name = try Self.name(in: answer, home: facts.home)
        report.name = name
        report.version = answer["version"]
        report.previous = answer["previous"]
        for old in answer.all("removed") { step("removed \(old)") }
        if options.wantsService { try await startService(name) } else { try await start(name) }
        await target.endWatching()
        try await prove(name)
    }

    /// The name of the program that is deployed now.
    private static func name(in answer: ScriptAnswer, home: String) throws(DeploymentFailure) -> String {
        if let name = answer["name"], HostFacts.isStored(name) || name == "original" { return name }
        if let broken = answer["broken"] {
            let reason = broken.drop { $0 != " " }.dropFirst()
            throw .refused(
                "the program cannot run on the vehicle: \(reason.isEmpty ? "it printed nothing" : reason)",
                hint: "may programs run from \(home), and is it a static one of scripts/package?")
        }
        if answer.has("damaged") {
            throw .link(
                LinkError(
                    .remoteFailed, "the uploaded program has another checksum on the vehicle",
                    hint: "repeat the command; if it happens again, check the vehicle's disk"))
        }
        throw .link(
            LinkError(
                .remoteFailed,
                "the vehicle could not put the program in its place: "
                    + (answer["failed"] ?? "no reason given"), hint: "can the user write there?"))
    }
}
