/// The manual page of a program with all its subcommands, in the language of man(7).
struct ManPage {
    private let program: Program

    init(_ program: Program) { self.program = program }

    private var root: CommandSpec { program.root }

    /// The page, ending with a newline. It has no date, so that the same program always prints the same.
    var source: String {
        var lines = [
            Troff.macro("TH", root.name.uppercased(), "1", "", "\(root.name) \(program.version)", "User Commands"),
            // Neither hyphens nor wide gaps in names and command lines.
            ".nh", ".ad l",
            ".SH NAME", Troff.text(root.name) + " \\- " + Troff.text(root.summary),
            ".SH SYNOPSIS",
        ]
        lines += CommandUsage(commands: [root]).lines.flatMap { [".nf", synopsis($0), ".fi"] }
        let summary = [Troff.text(sentence(root.summary))]
        lines += section("DESCRIPTION", root.discussion.isEmpty ? summary : discussion(of: root))
        lines += section("ARGUMENTS", root.parameters.flatMap(entry(for:)))
        lines += section("OPTIONS", options)
        lines += section("COMMANDS", root.subcommands.flatMap { command([root, $0]) })
        lines += section("EXAMPLES", root.examples.flatMap(entry(for:)))
        lines += section("EXIT STATUS", root.exitCodes.flatMap(entry(for:)))
        let related = root.seeAlso.map { Troff.bold($0) + "(1)" }
        return (lines + section("SEE ALSO", related.isEmpty ? [] : [related.joined(separator: ", ")]))
            .joined(separator: "\n") + "\n"
    }

    private var options: [String] {
        var lines = root.options.flatMap(entry(for:))
        let help = Troff.bold("-h") + ", " + Troff.bold("--help")
        lines += Troff.entry(help, "show the help of the program or the command and exit")
        lines += Troff.entry(Troff.bold("--version"), "show the version and exit")
        guard !root.subcommands.isEmpty, !root.options.isEmpty else { return lines }
        let exception = excludes(root) ? " that does not exclude them" : ""
        return ["They are valid for every command\(exception).", ".PP"] + lines
    }

    /// Whether a subcommand, or one below it, refuses an option of its parents.
    private func excludes(_ command: CommandSpec) -> Bool {
        command.subcommands.contains { !$0.leftOut.isEmpty || excludes($0) }
    }

    /// A subcommand, and what is below it.
    private func command(_ commands: [CommandSpec]) -> [String] {
        let command = commands[commands.count - 1]
        var lines = CommandUsage(commands: commands).lines.prefix(1).map { Troff.macro("SS", $0) }
        lines.append(Troff.text(sentence(command.summary)))
        if !command.discussion.isEmpty { lines += [".PP"] + discussion(of: command) }
        lines += command.parameters.flatMap(entry(for:))
        lines += command.options.flatMap(entry(for:))
        if !command.leftOut.isEmpty {
            let labels = command.leftOut.map { Troff.bold($0.spec.label) }
            lines += [".PP", "Not valid for it: " + labels.joined(separator: ", ") + "."]
        }
        if !command.examples.isEmpty {
            lines += [".PP", "For example:"] + command.examples.flatMap(entry(for:))
        }
        if !command.exitCodes.isEmpty {
            lines += [".PP", "Exit codes of its own:"]
            lines += command.exitCodes.flatMap(entry(for:))
        }
        return lines + command.subcommands.flatMap { self.command(commands + [$0]) }
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [Troff.macro("SH", title)] + lines
    }

    private func discussion(of command: CommandSpec) -> [String] {
        let paragraphs = Wrapping.paragraphs(of: command.discussion, width: .max)
        return paragraphs.enumerated().flatMap { index, lines in
            let text = lines.first?.first == " " ? Troff.example(lines) : lines.map(Troff.text)
            return (index == 0 ? [] : [".PP"]) + text
        }
    }

    private func entry(for argument: ArgumentSpec) -> [String] {
        var label = argument.short.map { Troff.bold("-\($0)") + ", " } ?? ""
        label += argument.role == .parameter ? Troff.italic(argument.name) : Troff.bold(argument.label)
        if !argument.placeholder.isEmpty, argument.role == .option { label += " " + Troff.italic(argument.placeholder) }
        return Troff.entry(label, HelpText.description(of: argument))
    }

    private func entry(for example: CommandSpec.Example) -> [String] {
        Troff.entry(Troff.bold(example.command), example.effect)
    }

    private func entry(for code: CommandSpec.ExitCode) -> [String] {
        Troff.entry(Troff.bold("\(code.code)"), code.meaning)
    }

    /// The names in bold, what is to be put in their place in italics.
    private func synopsis(_ line: String) -> String {
        let words = line.split(separator: " ").map { word in
            let isName = word.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 >= UInt8(ascii: "a") }
            return isName ? Troff.bold(String(word)) : Troff.italic(String(word))
        }
        return words.joined(separator: " ")
    }

    private func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + (summary.hasSuffix(".") ? "" : ".")
    }
}

/// Lines of troff with the macros of man(7).
enum Troff {
    /// Text that is printed as it is.
    static func text(_ text: String) -> String {
        var out = ""
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            // A long list without blanks may be continued on the next line.
            if last == ",", scalar != " " { out += "\\:" }
            last = scalar
            switch scalar {
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            case "\"": out += "\\(dq"
            case " "..."~": out.unicodeScalars.append(scalar)
            case "\u{A0}"...: out += "\\[u\(hexadecimal(scalar))]"
            // A control character.
            default: out += " "
            }
        }
        // At the beginning of a line a full stop would begin a macro.
        return out.hasPrefix(".") ? "\\&" + out : out
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func bold(_ text: String) -> String { "\\fB\(Self.text(text))\\fR" }

    static func italic(_ text: String) -> String {
        // A word that is longer than a line can only be broken where it says so; a list of choices is broken after a bar.
        let parts = Self.text(text).split(separator: "|", omittingEmptySubsequences: false)
        return "\\fI\(parts.joined(separator: text.count > longestWord ? "|\\:" : "|"))\\fR"
    }

    /// The most characters of a word that fits a line of 80 beside an option's name and the margins.
    private static let longestWord = 50

    /// A macro with quoted arguments.
    static func macro(_ name: String, _ arguments: String...) -> String {
        ".\(name) " + arguments.map { "\"\(text($0))\"" }.joined(separator: " ")
    }

    /// A label, and its description indented below.
    static func entry(_ label: String, _ description: String) -> [String] {
        [".TP", label] + (description.isEmpty ? [] : [text(description)])
    }

    /// Lines that are kept.
    static func example(_ lines: [String]) -> [String] {
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return [".RS 4", ".nf"] + lines.map { "\\&" + text(String($0.dropFirst(indentation))) } + [".fi", ".RE"]
    }
}
