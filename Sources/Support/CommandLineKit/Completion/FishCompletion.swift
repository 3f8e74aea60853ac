/// Generates the completion script for fish: one `complete` line per word, with the commands that it applies to as
/// condition.
struct FishCompletion {
    let root: CommandSpec

    var script: String {
        let lines = ShellTree.nodes(of: root).flatMap(lines(for:))
        return """
            # fish completion of \(root.name)
            \(pathFunction)
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

    /// The name of the function that prints the path of subcommands which have been typed.
    private var function: String {
        "__" + String(root.name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) + "_path"
    }

    /// It follows the words: the value of an option is no subcommand, even if it has the name of one.
    private var pathFunction: String {
        let steps = ShellTree.nodes(of: root).dropFirst().map { node in
            let parent = node.path.dropLast().joined(separator: " ")
            return "            case \(quoted(parent + "|" + node.command.name))\n"
                + "                set path \(quoted(node.pathText))"
        }
        let options = ShellTree.valueOptions(of: root)
        let skipping =
            options.isEmpty
            ? ""
            : """
                    switch $word
                        case \(options.joined(separator: " "))
                            set skips yes
                            continue
                    end

            """
        return """
            function \(function)
                set -l path ''
                set -l skips no
                for word in (commandline -opc)[2..-1]
                    if test $skips = yes
                        set skips no
                        continue
                    end
            \(skipping)        switch "$path|$word"
            \(steps.joined(separator: "\n"))
                    end
                end
                echo $path
            end
            """
    }

    /// True if exactly the subcommands of the path have been typed.
    private func condition(for node: ShellTree.Node) -> String {
        "test (\(function)) = \(quoted(node.pathText))"
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
