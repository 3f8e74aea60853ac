/// The help of a program or subcommand.
package struct HelpText: Sendable {
    /// The default width of a terminal, columns.
    package static let standardWidth = 80

    private let commands: [CommandSpec]
    private let width: Int
    private let name: String
    /// The largest indentation of descriptions; a longer label gets its own line.
    private let maximumLabelWidth = 28

    init(program: String, commands: [CommandSpec], width: Int) {
        self.commands = commands
        self.width = max(40, width)
        name = commands.map(\.name).joined(separator: " ")
    }

    private var command: CommandSpec { commands[commands.count - 1] }

    /// The whole text, ending with a newline.
    package var text: String {
        let title = Wrapping.hanging("\(name) - \(command.summary)", width: width)
        let usage = CommandUsage(commands: commands).lines.flatMap { Wrapping.hanging($0, width: width - 2) }
        var parts = [title.joined(separator: "\n"), section("USAGE", usage)]
        if !command.discussion.isEmpty {
            let paragraphs = Wrapping.paragraphs(of: command.discussion, width: width)
            parts.append(paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
        }
        let arguments = command.parameters.map { (label: $0.name, text: Self.description(of: $0)) }
        parts.append(section("ARGUMENTS", list(arguments)))
        let subcommands = command.subcommands.map { (label: $0.name, text: $0.summary) }
        parts.append(section("SUBCOMMANDS", list(subcommands)))
        parts.append(section("OPTIONS", list(command.options.map(entry(for:)))))
        let inherited = commands.dropLast().reversed().flatMap(\.options)
        var common = inherited.filter { !command.leavesOut($0) }.map(entry(for:))
        common.append((label: "-h, --help", text: "show this help and exit"))
        if commands.count == 1 { common.append((label: "    --version", text: "show the version and exit")) }
        parts.append(section("COMMON OPTIONS", list(common)))
        parts.append(section("EXAMPLES", command.examples.flatMap(example)))
        let codes = commands.last { !$0.exitCodes.isEmpty }?.exitCodes ?? []
        parts.append(section("EXIT CODES", list(codes.map { (label: String($0.code), text: $0.meaning) })))
        if !command.subcommands.isEmpty {
            parts.append("'\(name) SUBCOMMAND --help' describes each.")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private func label(_ option: ArgumentSpec) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        return short + option.label + (option.placeholder.isEmpty ? "" : " " + option.placeholder)
    }

    private func entry(for option: ArgumentSpec) -> (label: String, text: String) {
        (label: label(option), text: Self.description(of: option))
    }

    /// What an argument is, whether it may be repeated, and its default.
    static func description(of argument: ArgumentSpec) -> String {
        var text = argument.help
        if argument.isRepeated, argument.role == .option { text += " (may be repeated)" }
        if !argument.defaultText.isEmpty { text += " (default: \(argument.defaultText))" }
        return text
    }

    private func section(_ title: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : ([title] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    private func example(_ example: CommandSpec.Example) -> [String] {
        [example.command] + Wrapping.wrap(example.effect, width: width - 8).map { "    " + $0 }
    }

    private func list(_ entries: [(label: String, text: String)]) -> [String] {
        let column = min(maximumLabelWidth, entries.map(\.label.count).max() ?? 0)
        let indent = String(repeating: " ", count: column + 2)
        var lines: [String] = []
        for entry in entries {
            var described = Wrapping.wrap(entry.text, width: width - column - 4)[...]
            if entry.label.count <= column {
                let gap = String(repeating: " ", count: column - entry.label.count + 2)
                lines.append(entry.label + gap + (described.popFirst() ?? ""))
            } else {
                lines.append(entry.label)
            }
            lines += described.map { indent + $0 }
        }
        return lines
    }
}

/// How a command is called.
struct CommandUsage {
    /// The program and its subcommands, outermost first.
    let commands: [CommandSpec]

    /// One line for each way.
    var lines: [String] {
        guard let command = commands.last else { return [] }
        let name = commands.map(\.name).joined(separator: " ")
        var words = [name]
        for option in command.options where option.isRequired { words.append("\(option.label) \(option.placeholder)") }
        if !command.options.allSatisfy(\.isRequired) || commands.count > 1 { words.append("[OPTIONS]") }
        for parameter in command.parameters {
            let word = parameter.name + (parameter.isRepeated ? "..." : "")
            words.append(parameter.isRequired ? word : "[\(word)]")
        }
        let line = words.joined(separator: " ")
        guard !command.subcommands.isEmpty else { return [line] }
        return (command.runsWithoutSubcommand ? [line] : []) + ["\(name) SUBCOMMAND ..."]
    }
}
