/// A program or one of its subcommands, as used by parser, help and completions.
public struct CommandSpec: Sendable {
    /// A usage example of one line.
    public struct Example: Hashable, Sendable {
        /// The command line.
        public var command: String
        /// Its effect.
        public var effect: String

        /// Creates an example.
        public init(_ command: String, _ effect: String) {
            self.command = command
            self.effect = effect
        }
    }

    /// The meaning of an exit code.
    public struct ExitCode: Hashable, Sendable {
        /// The code.
        public var code: Int32
        /// The meaning.
        public var meaning: String

        /// Creates the description of an exit code.
        public init(_ code: Int32, _ meaning: String) {
            self.code = code
            self.meaning = meaning
        }
    }

    /// The word that the user types.
    public var name: String
    /// What it does, in one line without a full stop.
    public var summary: String
    /// Further description; paragraphs are separated by an empty line.
    public var discussion: String
    /// Options, flags and parameters; options and flags are valid for every subcommand, too.
    public var arguments: [any ArgumentDeclaration]
    /// Options and flags of which at most one may be given.
    public var exclusive: [[any ArgumentDeclaration]]
    /// Subcommands.
    public var subcommands: [CommandSpec]
    /// Whether it can run without a subcommand.
    public var runsWithoutSubcommand: Bool
    /// Usage examples.
    public var examples: [Example]
    /// The meanings of its exit codes; a subcommand without its own shows its parent's.
    public var exitCodes: [ExitCode]

    /// Creates a program or subcommand.
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
