/// Generates the completion script for zsh: one function per command, built on `_arguments`.
struct ZshCompletion {
    let root: CommandSpec

    var script: String {
        let functions = ShellTree.nodes(of: root).map(function(for:)).joined(separator: "\n")
        let entry = name(of: [])
        return """
            #compdef \(root.name)
            # zsh completion of \(root.name)
            \(functions)
            if [[ $funcstack[1] == _\(root.name) ]]; then
                \(entry) "$@"
            else
                compdef \(entry) \(root.name)
            fi

            """
    }

    private func name(of path: [String]) -> String {
        "_"
            + ([root.name] + path).joined(separator: "__").map { $0.isLetter || $0.isNumber ? String($0) : "_" }
            .joined()
            + "_command"
    }

    private func function(for node: ShellTree.Node) -> String {
        var specs = node.options.map(spec(of:))
        specs.append("'(- *)'{-h,--help}'[show help and exit]'")
        var lines = ["\(name(of: node.path))() {"]
        if node.command.subcommands.isEmpty {
            specs += node.command.parameters.map { parameter in
                let place = parameter.isRepeated ? "*" : parameter.isRequired ? "" : ":"
                return ShellTree.singleQuoted("\(place):\(escaped(parameter.name)):\(action(parameter.completion))")
            }
            lines.append("    _arguments -s -S \\\n        " + specs.joined(separator: " \\\n        "))
        } else {
            lines.append("    local line state ret=1")
            specs += ["'1:subcommand:->subcommand'", "'*::argument:->arguments'"]
            lines.append(
                "    _arguments -s -S -C \\\n        " + specs.joined(separator: " \\\n        ") + " && ret=0")
            lines.append("    case $state in")
            lines.append("        subcommand)")
            lines.append("            local -a subcommands=(")
            for subcommand in node.command.subcommands {
                let text = "\(subcommand.name):\(subcommand.summary)"
                lines.append("                " + ShellTree.singleQuoted(text))
            }
            lines.append("            )")
            lines.append("            _describe -t commands subcommand subcommands && ret=0 ;;")
            lines.append("        arguments)")
            lines.append("            case $line[1] in")
            for subcommand in node.command.subcommands {
                lines.append(
                    "                \(subcommand.name)) \(name(of: node.path + [subcommand.name])) && ret=0 ;;")
            }
            lines += ["            esac ;;", "    esac", "    return ret"]
        }
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    private func spec(of option: ArgumentSpec) -> String {
        let value = option.role == .flag ? "" : ":\(escaped(option.placeholder)):\(action(option.completion))"
        let help = ShellTree.singleQuoted("[\(escaped(option.help))]\(value)")
        let equals = option.role == .flag ? "" : "="
        let names = option.short.map { "{-\($0),\(option.label)\(equals)}" } ?? "\(option.label)\(equals)"
        if option.isRepeated { return "'*'\(names)\(help)" }
        guard let short = option.short else { return names + help }
        return "'(-\(short) \(option.label))'\(names)\(help)"
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        }
    }

    /// Brackets, colons and backslashes are special to `_arguments`.
    private func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
