/// A program or one of its subcommands, as used by parser, help and completions.
package struct CommandSpec: Sendable {
    /// A usage example of one line.
    package struct Example: Hashable, Sendable {
        /// The command line.
        package var command: String
        package var effect: String

        package init(_ command: String, _ effect: String) {
            self.command = command
            self.effect = effect
        }
    }

    /// The meaning of an exit code.
    package struct ExitCode: Hashable, Sendable {
        package var code: Int32
        package var meaning: String

        /// Creates the description of an exit code.
        package init(_ code: Int32, _ meaning: String) {
            self.code = code
            self.meaning = meaning
        }
    }

    /// The word that the user types.
    package var name: String
    /// What it does, in one line without a full stop.
    package var summary: String
    /// Further description; paragraphs are separated by an empty line.
    package var discussion: String
    /// Options, flags and parameters; options and flags are valid for every subcommand, too.
    package var arguments: [any ArgumentDeclaration]
    /// Options and flags of which at most one may be given.
    package var exclusive: [[any ArgumentDeclaration]]
    /// Options and flags of its parents that mean nothing to it: they are refused, and not in its help.
    package var leftOut: [any ArgumentDeclaration]
    package var subcommands: [CommandSpec]
    /// Whether it can run without a subcommand.
    package var runsWithoutSubcommand: Bool
    /// Usage examples.
    package var examples: [Example]
    /// The meanings of its exit codes; a subcommand without its own shows its parent's.
    package var exitCodes: [ExitCode]
    /// Other programs that belong to it; the manual page names their pages.
    package var seeAlso: [String]

    /// Creates a program or subcommand.
    package init(
        _ name: String, summary: String, discussion: String = "", arguments: [any ArgumentDeclaration] = [],
        exclusive: [[any ArgumentDeclaration]] = [], leftOut: [any ArgumentDeclaration] = [],
        subcommands: [CommandSpec] = [], runsWithoutSubcommand: Bool = false, examples: [Example] = [],
        exitCodes: [ExitCode] = [], seeAlso: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.exclusive = exclusive
        self.leftOut = leftOut
        self.subcommands = subcommands
        self.runsWithoutSubcommand = runsWithoutSubcommand
        self.examples = examples
        self.exitCodes = exitCodes
        self.seeAlso = seeAlso
    }

    var parameters: [ArgumentSpec] { arguments.map(\.spec).filter { $0.role == .parameter } }
    var options: [ArgumentSpec] { arguments.map(\.spec).filter { $0.role != .parameter } }

    /// Whether an option or flag of a parent means nothing to it.
    func leavesOut(_ option: ArgumentSpec) -> Bool { leftOut.contains { $0.spec.label == option.label } }
}
