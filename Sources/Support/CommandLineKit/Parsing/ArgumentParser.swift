/// Parses one command line from left to right.
struct ArgumentParser {
    private let program: Program
    /// The program and the subcommands found so far.
    private var commands: [CommandSpec]
    private var words: [String] = []
    private var values: [String: [any Sendable]] = [:]
    private var texts: [String: String] = [:]
    private var takesSubcommand = true

    init(program: Program) {
        self.program = program
        commands = [program.root]
    }

    private var current: CommandSpec { commands[commands.count - 1] }
    private var options: [ArgumentSpec] { commands.reversed().flatMap(\.options) }
    private var fullName: String { commands.map(\.name).joined(separator: " ") }
    private var helpHint: String { "try '\(fullName) --help'" }

    mutating func parse(_ arguments: [String]) throws(UsageError) -> ParseOutcome {
        if let asked = helpRequest(arguments) { return asked }
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                break
            } else if word.hasPrefix("--") {
                if word == "--version", commands.count == 1 {
                    return .print("\(program.root.name) \(program.version)\n")
                }
                try readLong(word, &rest)
            } else if word.hasPrefix("-"), word != "-", !Self.isNumeric(word) {
                try readShort(word, &rest)
            } else {
                try readWord(word)
            }
        }
        return try finish()
    }

    /// `--help` takes precedence over all errors on the command line but the name of a subcommand that does not exist: the help of
    /// another one would answer it without a word about that.
    private func helpRequest(_ arguments: [String]) -> ParseOutcome? {
        var ahead = arguments.prefix { $0 != "--" }
        let leading = ahead.first == "help" && program.root.subcommands.allSatisfy { $0.name != "help" }
        guard leading || ahead.contains("--help") || ahead.contains("-h") else {
            return ahead.first { $0.hasPrefix("--help=") }.map { formattedHelp(String($0.dropFirst("--help=".count))) }
        }
        if leading { ahead = ahead.dropFirst() }
        var found: [CommandSpec] = [program.root]
        // The word behind an unknown option may be its value.
        var isSure = true
        while let word = ahead.popFirst() {
            let last = found[found.count - 1]
            if let next = last.subcommands.first(where: { $0.name == word }) {
                found.append(next)
            } else if let option = found.flatMap(\.options).first(where: { $0.label == word }) {
                // The option's value may look like a subcommand.
                if option.role == .option { _ = ahead.popFirst() }
            } else if word.hasPrefix("-") {
                if word != "--help", word != "-h" { isSure = false }
            } else if isSure, !last.subcommands.isEmpty, !last.runsWithoutSubcommand || last.parameters.isEmpty {
                return .fail(Self.unknown(word, after: found))
            }
        }
        return .print(HelpText(program: program.root.name, commands: found, width: HelpText.standardWidth).text)
    }

    private func formattedHelp(_ format: String) -> ParseOutcome {
        if let text = program.help(as: format) { return .print(text) }
        let formats = Program.helpFormats
        let near = Suggestion.nearest(to: format, among: formats)
        return .fail(
            UsageError(
                "--help: found '\(format)', expected no value or \(formats.joined(separator: ", "))",
                hint: near.map { "did you mean '\($0)'?" } ?? helpHint))
    }

    private mutating func readWord(_ word: String) throws(UsageError) {
        guard takesSubcommand, !current.subcommands.isEmpty else { return words.append(word) }
        if let next = current.subcommands.first(where: { $0.name == word }) {
            commands.append(next)
        } else if current.runsWithoutSubcommand, !current.parameters.isEmpty {
            takesSubcommand = false
            words.append(word)
        } else {
            throw Self.unknown(word, after: commands)
        }
    }

    /// The error for a word that is no subcommand of the last of these commands.
    private static func unknown(_ word: String, after commands: [CommandSpec]) -> UsageError {
        let name = commands.map(\.name).joined(separator: " ")
        let near = Suggestion.nearest(to: word, among: commands.last?.subcommands.map(\.name) ?? [])
        return UsageError(
            "'\(name)' has no subcommand '\(word)'",
            hint: near.map { "did you mean '\($0)'?" } ?? "try '\(name) --help'")
    }

    private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = options.first(where: { $0.name == name }) else {
            let near = Suggestion.nearest(to: name, among: options.map(\.name) + ["help"])
            throw UsageError("unknown option '--\(name)'", hint: near.map { "did you mean '--\($0)'?" } ?? helpHint)
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if option.role == .flag, let attached {
            throw UsageError("\(option.label) takes no value, found '\(attached)'", hint: helpHint)
        }
        try read(option, attached: attached, &rest)
    }

    private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                let name = String(word.dropFirst())
                let isLong = options.contains { $0.name == name }
                let hint =
                    isLong
                    ? "did you mean '--\(name)'?"
                    : current.parameters.contains(where: \.isRepeated)
                        ? "put '--' before words that begin with '-'" : helpHint
                throw UsageError("unknown option '\(isLong ? word : "-\(letter)")'", hint: hint)
            }
            if option.role == .flag {
                try read(option, attached: nil, &rest)
            } else {
                try read(option, attached: letters.isEmpty ? nil : String(letters), &rest)
                return
            }
        }
    }

    private mutating func read(
        _ option: ArgumentSpec, attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        if !option.isRepeated, values[option.label] != nil {
            throw UsageError("\(option.label) was given twice", hint: "give it only once")
        }
        guard option.role == .option else { return values[option.label, default: []].append(true) }
        let text: String
        if let attached {
            text = attached
        } else if let next = rest.first, next == "-" || !next.hasPrefix("-") || Self.isNumeric(next) {
            text = next
            rest = rest.dropFirst()
        } else {
            throw UsageError("\(option.label) needs a value", hint: "use \(option.label) \(option.placeholder)")
        }
        try store(text, for: option)
    }

    private mutating func store(_ text: String, for argument: ArgumentSpec) throws(UsageError) {
        do throws(ValueError) {
            values[argument.label, default: []].append(try argument.read(text))
            texts[argument.label] = text
        } catch {
            let meant = error.suggestion.map { "did you mean '\($0)'?" }
            throw UsageError("\(argument.label): found '\(text)', expected \(error.expected)", hint: meant ?? helpHint)
        }
    }

    private mutating func finish() throws(UsageError) -> ParseOutcome {
        let command = current
        if !command.subcommands.isEmpty, takesSubcommand, words.isEmpty, !command.runsWithoutSubcommand {
            throw UsageError("'\(fullName)' needs a subcommand", hint: helpHint)
        }
        // They may stand before the subcommand, and would be ignored without a word.
        for option in options where command.leavesOut(option) && values[option.label] != nil {
            throw UsageError("\(option.label) means nothing to '\(fullName)'", hint: "leave it out; \(helpHint)")
        }
        try assignWords(to: command.parameters)
        for option in options where option.isRequired && values[option.label] == nil {
            throw UsageError("\(option.label) is missing", hint: "use \(option.label) \(option.placeholder)")
        }
        for group in commands.flatMap(\.exclusive) {
            let given = group.map(\.spec.label).filter { values[$0] != nil }
            if given.count > 1 {
                throw UsageError("\(given[0]) and \(given[1]) cannot be combined", hint: "use only one of them")
            }
        }
        let path = commands.dropFirst().map(\.name)
        let parsed = ParsedCommand(path: Array(path), values: values, texts: texts)
        if path == [Program.completionName], command.parameters.first?.name == Program.shell.spec.name {
            return .print(program.completion(for: try parsed[Program.shell]))
        }
        return .run(parsed)
    }

    private mutating func assignWords(to parameters: [ArgumentSpec]) throws(UsageError) {
        var left = words[...]
        for parameter in parameters {
            guard !left.isEmpty else {
                guard parameter.isRequired else { continue }
                throw UsageError("\(parameter.name) is missing", hint: helpHint)
            }
            repeat {
                if let word = left.popFirst() { try store(word, for: parameter) }
            } while parameter.isRepeated && !left.isEmpty
        }
        if let extra = left.first {
            throw UsageError("unexpected argument '\(extra)' for '\(fullName)'", hint: helpHint)
        }
    }

    /// Whether a word that begins with '-' is a number rather than an option: `-1`, `-.5`, `-90deg`, and `-inf`, which
    /// should get the error of a number that is not finite.
    static func isNumeric(_ word: String) -> Bool {
        let rest = word.dropFirst()
        guard let first = rest.utf8.first else { return false }
        if (0x30...0x39).contains(first) { return true }
        if first == 0x2E { return rest.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false }
        return ["inf", "infinity", "nan"].contains(rest.lowercased())
    }
}
