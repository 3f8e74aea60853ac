/// A program's command line: its declaration and its parser.
///
/// Nothing here prints or exits. Understood without a declaration are `--help` (and `-h`, and `help SUBCOMMAND`), `--version`,
/// `completion bash|zsh|fish` where there are subcommands, and, for those who make packages, `--help=man|bash|zsh|fish`: the
/// manual page and the completion scripts of any program.
package struct Program: Sendable {
    /// The program and its subcommands.
    package let root: CommandSpec
    /// What `--version` prints after the program's name.
    package let version: String

    /// Creates a program's command line.
    package init(_ root: CommandSpec, version: String) {
        self.version = version
        var root = root
        if !root.subcommands.isEmpty {
            root.subcommands.append(Self.completionCommand(for: root.name))
        }
        self.root = root
    }

    /// Parses the words of a command line, without the program's own name.
    package func parse(_ arguments: [String]) -> ParseOutcome {
        var parser = ArgumentParser(program: self)
        do throws(UsageError) {
            return try parser.parse(arguments)
        } catch {
            return .fail(error)
        }
    }

    /// The help of a subcommand, or of the program for an empty path.
    package func help(for path: [String] = [], width: Int = HelpText.standardWidth) -> String? {
        commands(along: path).map { HelpText(program: root.name, commands: $0, width: width).text }
    }

    /// The manual page of the program with all its subcommands, in the language of man(7).
    package var manPage: String { ManPage(self).source }

    /// What `--help=FORMAT` prints; `nil` for an unknown format.
    func help(as format: String) -> String? {
        format == Self.manFormat ? manPage : CompletionShell(rawValue: format).map(completion(for:))
    }

    /// The formats of `--help=FORMAT`.
    static var helpFormats: [String] { [manFormat] + CompletionShell.allCases.map(\.rawValue) }

    private static let manFormat = "man"

    /// The completion script for a shell.
    package func completion(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: BashCompletion(root: root).script
        case .zsh: ZshCompletion(root: root).script
        case .fish: FishCompletion(root: root).script
        }
    }

    /// The program and the subcommands along a path, outermost first.
    func commands(along path: [String]) -> [CommandSpec]? {
        var found = [root]
        for name in path {
            guard let next = found.last?.subcommands.first(where: { $0.name == name }) else { return nil }
            found.append(next)
        }
        return found
    }

    static let completionName = "completion"
    static let shell = Argument.parameter("SHELL", ValueKind<CompletionShell>.choice, help: "bash, zsh or fish")

    private static func completionCommand(for program: String) -> CommandSpec {
        CommandSpec(
            completionName, summary: "print a shell completion script for \(program)",
            arguments: [shell],
            examples: [
                .init("source <(\(program) completion bash)", "for this shell"),
                .init("\(program) completion zsh > ~/.zfunc/_\(program)", "for zsh, with ~/.zfunc on its fpath"),
                .init("\(program) completion fish > ~/.config/fish/completions/\(program).fish", "for fish"),
            ])
    }
}

/// A shell for which completion scripts can be generated.
package enum CompletionShell: String, Sendable, CaseIterable {
    /// Bash 4 or newer.
    case bash
    /// Zsh.
    case zsh
    /// Fish 3 or newer.
    case fish
}
