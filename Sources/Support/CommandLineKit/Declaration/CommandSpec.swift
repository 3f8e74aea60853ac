/// A program or one of its subcommands, as parser, help and completions know it.
public struct CommandSpec: Sendable {
    /// One line that shows how to use it.
    public struct Example: Hashable, Sendable {
        /// What to type.
        public var command: String
        /// What it does.
        public var effect: String

        /// One line that shows how to use it.
        public init(_ command: String, _ effect: String) {
            self.command = command
            self.effect = effect
        }
    }

    /// What an exit code means.
    public struct ExitCode: Hashable, Sendable {
        /// The code.
        public var code: Int32
        /// What it means.
        public var meaning: String

        /// What an exit code means.
        public init(_ code: Int32, _ meaning: String) {
            self.code = code
            self.meaning = meaning
        }
    }

    /// The word a person types.
    public var name: String
    /// What it does, in one line without a full stop.
    public var summary: String
    /// What a person should know beyond that; paragraphs are parted by an empty line.
    public var discussion: String
    /// Options, flags and parameters; options and flags are known to every subcommand, too.
    public var arguments: [any ArgumentDeclaration]
    /// Options and flags of which at most one may be given.
    public var exclusive: [[any ArgumentDeclaration]]
    /// Subcommands.
    public var subcommands: [CommandSpec]
    /// Whether it does something without a subcommand, too.
    public var runsWithoutSubcommand: Bool
    /// Lines that show how to use it.
    public var examples: [Example]
    /// What its exit codes mean; a subcommand without its own shows its parent's.
    public var exitCodes: [ExitCode]

    /// A program or one of its subcommands.
    public init(
        _ name: String, summary: String, discussion: String = "", arguments: [any ArgumentDeclaration] = [],
        exclusive: [[any ArgumentDeclaration]] = [], subcommands: [CommandSpec] = [],
        runsWithoutSubcommand: Bool = false, examples: [Example] = [], exitCodes: [ExitCode] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.exclusive = exclusive
        self.subcommands = subcommands
        self.runsWithoutSubcommand = runsWithoutSubcommand
        self.examples = examples
        self.exitCodes = exitCodes
    }

    var parameters: [ArgumentSpec] { arguments.map(\.spec).filter { $0.role == .parameter } }
    var options: [ArgumentSpec] { arguments.map(\.spec).filter { $0.role != .parameter } }
}
