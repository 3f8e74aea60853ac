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
            // A file that was changed or removed since is uploaded again.
            if !answer.has("damaged"), !answer.has("gone") { return answer }
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
            // The folder was there: a name that is missing now was removed by another deployment, also by one of an older uavlink.
            if case .link(let link) = error, link.code == .remoteFailed,
                link.what.hasSuffix("(no such file or directory)")
            {
                throw removedUpload
            }
            let advice = "\(unchanged); repeat the command"
            throw error.saying(
                "the upload ended after \(ByteText.megabytes(meter.confirmed)) of \(ByteText.megabytes(total)): "
                    + error.what, hint: error.hint.isEmpty ? advice : "\(error.hint); \(advice)")
        }
        tell(.uploadEnded)
        report.upload = DeploymentReport.Upload(bytes: total, duration: meter.duration)
    }

    private var removedUpload: DeploymentFailure {
        .link(
            LinkError(
                .remoteFailed, "another deployment removed the upload",
                hint: "\(unchanged); repeat the command when the other one has ended"))
    }

    /// Uses the program that a script has switched to.
    private mutating func use(_ answer: ScriptAnswer) async throws(DeploymentFailure) {
        if answer.has("gone") { throw removedUpload }
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
            let status = Self.ending(String(broken.prefix { $0 != " " }))
            throw .refused(
                "the program cannot run on the vehicle (\(status)): \(reason.isEmpty ? "it printed nothing" : reason)",
                hint: "may programs run from \(home), and is it a static one of scripts/package?")
        }
        if let seconds = answer["hung"] {
            throw .refused(
                "the program did not end within \(seconds) s when it was asked for its version: nothing was changed",
                hint: "does '--version' of this program end on a machine like the vehicle's?")
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

    /// How a program ended, from its exit status in a shell: above 128 a signal ended it.
    private static func ending(_ status: String) -> String {
        guard let number = Int(status), number > 128, number <= 128 + 64 else { return "exit status \(status)" }
        let name = signals[number - 128].map { ", \($0)" } ?? ""
        return "exit status \(number): signal \(number - 128)\(name)"
    }

    /// The signals that end a program that does not fit its machine.
    private static let signals = [
        4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 31: "SIGSYS",
    ]
}
