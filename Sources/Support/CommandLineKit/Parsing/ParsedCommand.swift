/// What a person asked for.
public struct ParsedCommand: Sendable {
    /// The subcommands that were named, outermost first; empty for the program itself.
    public let path: [String]
    let values: [String: [any Sendable]]

    /// The value of an argument that the command declares.
    ///
    /// - Throws: ``UsageError`` when a required argument is read that the command does not declare.
    public subscript<Result>(_ argument: ArgumentKey<Result>) -> Result {
        get throws(UsageError) {
            guard let result = argument.extract(values[argument.spec.label] ?? []) else {
                throw UsageError(
                    "\(argument.spec.label) is not an argument of '\(path.joined(separator: " "))'", hint: "")
            }
            return result
        }
    }

    /// Whether the person gave this argument, rather than leaving it at its default.
    public func isGiven(_ argument: any ArgumentDeclaration) -> Bool {
        values[argument.spec.label]?.isEmpty == false
    }
}

/// What is to be done with a command line.
public enum ParseOutcome: Sendable {
    /// Do this.
    case run(ParsedCommand)
    /// Print this on standard output and end with 0: help, a version, a completion script.
    case print(String)
    /// Print this on standard error and end with ``UsageError/exitCode``.
    case fail(UsageError)
}
