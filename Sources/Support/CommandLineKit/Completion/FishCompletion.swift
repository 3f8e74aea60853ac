/// Generates the completion script for fish: one `complete` line per word, with the commands that it applies to as
/// condition.
struct FishCompletion {
    let root: CommandSpec

    var script: String {
        let lines = ShellTree.nodes(of: root).flatMap(lines(for:))
        return """
            # fish completion of \(root.name)
            complete -c \(root.name) -f

            """ + lines.joined(separator: "\n") + "\n"
    }

    private func lines(for node: ShellTree.Node) -> [String] {
        let start = "complete -c \(root.name) -n \(quoted(condition(for: node)))"
        var lines = node.command.subcommands.map { "\(start) -a \(quoted($0.name)) -d \(quoted($0.summary))" }
        for option in node.options {
            var line = "\(start) -l \(option.name)"
            if let short = option.short { line += " -s \(short)" }
            if option.role == .option { line += " -x" }
            switch option.completion {
            case .none: break
            case .words(let words): line += " -a \(quoted(words.joined(separator: " ")))"
            case .files: line = line.replacingLast(" -x", with: " -r -F")
            }
            lines.append(line + " -d \(quoted(option.help))")
        }
        lines.append("\(start) -s h -l help -d 'show help and exit'")
        for parameter in node.command.parameters where node.command.subcommands.isEmpty {
            switch parameter.completion {
            case .none: break
            case .words(let words): lines.append("\(start) -a \(quoted(words.joined(separator: " ")))")
            case .files: lines.append("\(start) -F")
            }
        }
        return lines
    }

    /// True if all subcommands of the path have been typed and none of the next level.
    private func condition(for node: ShellTree.Node) -> String {
        var parts = node.path.map { "__fish_seen_subcommand_from \($0)" }
        let next = node.command.subcommands.map(\.name)
        if !next.isEmpty { parts.append("not __fish_seen_subcommand_from \(next.joined(separator: " "))") }
        return parts.isEmpty ? "true" : parts.joined(separator: "; and ")
    }

    private func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}

extension String {
    fileprivate func replacingLast(_ end: String, with other: String) -> String {
        hasSuffix(end) ? dropLast(end.count) + other : self
    }
}
