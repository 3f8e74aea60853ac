internal import VehicleAccess

extension HostFacts {
    /// The most setup files, programs and processes that are taken.
    private static let mostOfEach = 20

    /// Reads the answer of ``FactsScript``; `nil` if it is not complete.
    ///
    /// Nothing in it is believed to be more than text: names that become part of a path or of a command line are checked here.
    init?(_ answer: ScriptAnswer) {
        guard answer.isComplete else { return nil }
        system = answer["system"] ?? ""
        architecture = answer["machine"].flatMap { Self.isArchitecture($0) ? $0 : nil } ?? ""
        kernel = answer["kernel"] ?? ""
        libc = answer["libc"] ?? ""
        shell = answer["shell"] ?? ""
        user = answer["user"] ?? ""
        home = answer["home"].flatMap { $0.hasPrefix("/") ? Self.withoutSlash($0) : nil } ?? ""
        homeProblem = Self.problem(answer, home: home)
        missingFolders = answer.all("missing", limit: 2)
        freeBytes = answer["free"].flatMap { Int($0) }.flatMap { Self.bytes(kilobytes: $0) }
        isNoexec = Self.isNoexec(mountOptions: answer["mount"] ?? "")
        hasUserManager = answer.all("manager").contains("user")
        lingers = answer.has("lingers")
        let unitWords = (answer["unit"] ?? "").split(separator: " ").map(String.init)
        unit = answer["unit"].map { _ in unitWords.first == "ours" ? .ours : .foreign }
        unitVehicle = unitWords.dropFirst().first.flatMap { VehicleProfile.isVehicleName($0) ? $0 : nil }
        setupFiles = answer.all("setup", limit: Self.mostOfEach)
        hasMaster = answer.has("master")
        stored = answer.all("stored").filter { Self.isStored($0) }
        partial = answer.all("partial")
        hasOriginal = answer.has("original")
        hasMadeFolders = answer.has("made")
        installed = Self.installed(answer, home: home)
        previous = answer["previous"].flatMap { Self.name($0, home: home) }
        found = answer["found"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        foundVersion = answer["version"].flatMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 && words[0] == "uavlink-companion" ? String(words[1]) : nil
        }
        running = answer.all("running", limit: Self.mostOfEach).compactMap { Running(line: $0) }
    }

    private static func withoutSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static func problem(_ answer: ScriptAnswer, home: String) -> HomeProblem? {
        if answer.has("homeless") || home.isEmpty { return .missing }
        if let link = answer["dangling"] { return .dangling(link) }
        if let file = answer["blocked"] { return .blocked(file) }
        return answer["unwritable"].map { .unwritable($0) }
    }

    private static func bytes(kilobytes: Int) -> Int? {
        guard kilobytes >= 0 else { return nil }
        let (bytes, overflow) = kilobytes.multipliedReportingOverflow(by: 1024)
        return overflow ? .max : bytes
    }

    private static func isNoexec(mountOptions: String) -> Bool? {
        let options = mountOptions.split(separator: ",")
        return options.isEmpty ? nil : options.contains("noexec")
    }

    private static func installed(_ answer: ScriptAnswer, home: String) -> Installed {
        if answer.has("folder") { return .folder }
        if let target = answer["link"] { return name(target, home: home).map { Installed.deployed($0) } ?? .other }
        return answer.has("file") ? .other : .nothing
    }

    /// The name of what is in our folder; `nil` for a path elsewhere.
    private static func name(_ path: String, home: String) -> String? {
        let folder = "\(home)/\(ScriptText.folder)/"
        guard path.hasPrefix(folder) else { return nil }
        let name = String(path.dropFirst(folder.count))
        return isStored(name) || name == "original" ? name : nil
    }

    /// Whether a name is one that a deployment gives: `companion-VERSION-HASH`.
    static func isStored(_ name: String) -> Bool {
        guard name.hasPrefix(ScriptText.deployed), name.utf8.count <= 80, let dash = name.lastIndex(of: "-") else {
            return false
        }
        let digits = name[name.index(after: dash)...]
        return digits.utf8.count == CompanionFile.shortDigits
            && digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            && name.utf8.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isArchitecture(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

extension HostFacts.Running {
    /// Reads `PROCESS OWNER UNIT VEHICLE PROGRAM`; `nil` if it is something else.
    init?(line: String) {
        let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 4, let process = Int(words[0]), process > 0, ["own", "other"].contains(words[1]),
            !words[3].isEmpty
        else { return nil }
        self.process = process
        isOwn = words[1] == "own"
        unit = words[2] == "-" || words[2].isEmpty ? nil : words[2]
        vehicle = words[3]
        program = words.count > 4 ? words[4] : ""
    }
}
