/// Generates the completion script for bash: one function that follows the typed words to their subcommand and offers
/// what it declares.
struct BashCompletion {
    let root: CommandSpec

    var script: String {
        let function = "_" + identifier(root.name)
        let cases = ShellTree.nodes(of: root).map { node in caseOf(node) }.joined(separator: "\n")
        let steps = ShellTree.nodes(of: root).dropFirst().map { node in
            let parent = node.path.dropLast().joined(separator: " ")
            return "            \(quoted(parent + "|" + node.command.name))) path=\(quoted(node.pathText)) ;;"
        }
        let options = ShellTree.valueOptions(of: root)
        let skipping =
            options.isEmpty
            ? ""
            : """
                    # the value of an option is no subcommand
                    case $word in
                        \(options.joined(separator: "|")))
                            [[ ${COMP_WORDS[i+1]} == "=" ]] && (( i++ ))
                            (( i++ ))
                            continue ;;
                    esac

            """
        return """
            # bash completion of \(root.name)
            \(function)() {
                local cur prev path word i
                cur=${COMP_WORDS[COMP_CWORD]}
                prev=
                (( COMP_CWORD > 0 )) && prev=${COMP_WORDS[COMP_CWORD-1]}
                # bash splits --name=value into three words
                if [[ $cur == "=" ]]; then
                    cur=
                elif [[ $prev == "=" ]] && (( COMP_CWORD > 1 )); then
                    prev=${COMP_WORDS[COMP_CWORD-2]}
                fi
                path=
                for (( i = 1; i < COMP_CWORD; i++ )); do
                    word=${COMP_WORDS[i]}
            \(skipping)        case "$path|$word" in
            \(steps.joined(separator: "\n"))
                    esac
                done
                COMPREPLY=()
                case $path in
            \(cases)
                esac
            }
            complete -F \(function) \(root.name)

            """
    }

    private func caseOf(_ node: ShellTree.Node) -> String {
        var lines = ["        \(quoted(node.pathText)))", "            case $prev in"]
        for option in node.options where option.role == .option {
            let names = [option.label] + (option.short.map { ["-\($0)"] } ?? [])
            lines.append("                \(names.joined(separator: "|"))) \(offer(option.completion)); return ;;")
        }
        lines.append("            esac")
        let optionWords = node.options.map(\.label) + ["--help"]
        lines.append("            if [[ $cur == -* ]]; then")
        lines.append("                \(offer(.words(optionWords))); return")
        lines.append("            fi")
        let subcommands = node.command.subcommands.map(\.name)
        if !subcommands.isEmpty {
            lines.append("            \(offer(.words(subcommands)))")
        } else {
            let offered = node.command.parameters.map(\.completion).filter { $0 != .none }
            for completion in offered.prefix(1) { lines.append("            \(offer(completion))") }
        }
        lines.append("            ;;")
        return lines.joined(separator: "\n")
    }

    private func offer(_ completion: ValueCompletion) -> String {
        switch completion {
        case .none: "COMPREPLY=()"
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W \(quoted(words.joined(separator: " "))) -- \"$cur\")"
        case .files: "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
        }
    }

    private func identifier(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    private func quoted(_ text: String) -> String { ShellTree.singleQuoted(text) }
}
