/// A parsed command line.
package struct ParsedCommand: Sendable {
    /// The subcommands, outermost first; empty for the program itself.
    package let path: [String]
    let values: [String: [any Sendable]]
    /// What was typed for each option and parameter, the last if there are several.
    let texts: [String: String]

    /// The value of an argument that the command declares.
    ///
    /// - Throws: ``UsageError`` if the command does not declare a required argument that is read.
    package subscript<Result>(_ argument: ArgumentKey<Result>) -> Result {
        get throws(UsageError) {
            guard let result = argument.extract(values[argument.spec.label] ?? []) else {
                throw UsageError(
                    "\(argument.spec.label) is not an argument of '\(path.joined(separator: " "))'", hint: "")
            }
            return result
        }
    }

    /// Whether the argument was given, rather than left at its default.
    package func isGiven(_ argument: any ArgumentDeclaration) -> Bool {
        values[argument.spec.label]?.isEmpty == false
    }
}

/// What the program is to do with a command line.
package enum ParseOutcome: Sendable {
    /// Run this command.
    case run(ParsedCommand)
    /// Print this on standard output and exit with 0: help, a version, a completion script.
    case print(String)
    /// Print this on standard error and exit with ``UsageError/exitCode``.
    case fail(UsageError)
}
