/// The tree of a program's commands, for completion scripts.
enum ShellTree {
    struct Node {
        /// The subcommands' names, outermost first; empty for the program.
        var path: [String]
        var command: CommandSpec
        /// The command's own options and those of its parents.
        var options: [ArgumentSpec]

        var pathText: String { path.joined(separator: " ") }
    }

    /// All commands, parents before their subcommands.
    static func nodes(of root: CommandSpec) -> [Node] {
        nodes(of: root, path: [], inherited: [])
    }

    private static func nodes(of command: CommandSpec, path: [String], inherited: [ArgumentSpec]) -> [Node] {
        let options = command.options + inherited.filter { !command.leavesOut($0) }
        let own = Node(path: path, command: command, options: options)
        return [own] + command.subcommands.flatMap { nodes(of: $0, path: path + [$0.name], inherited: options) }
    }

    /// The options that have a value, as they are typed: `--vehicle`, `-o`. One that has none in another command is left out.
    static func valueOptions(of root: CommandSpec) -> [String] {
        let all = nodes(of: root).flatMap(\.options)
        let flags = Set(all.filter { $0.role != .option }.flatMap(\.typed))
        var seen: Set<String> = []
        return all.filter { $0.role == .option }.flatMap(\.typed).filter {
            !flags.contains($0) && seen.insert($0).inserted
        }
    }

    /// The text as one word of a shell's line, in quotes where it needs them.
    static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_-./:@%+,".utf8.contains(byte)
            }
        return isPlain ? text : singleQuoted(text)
    }

    /// The text in single quotes, for bash and zsh.
    static func singleQuoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension ArgumentSpec {
    /// How an option is typed: its long name, and its short one if it has one.
    fileprivate var typed: [String] { [label] + (short.map { ["-\($0)"] } ?? []) }
}
