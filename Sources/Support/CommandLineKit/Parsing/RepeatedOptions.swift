/// The options of a command line that say whom it is about, for the command lines that the program tells its user to type: typed without
/// them, they would be about another one.
package struct RepeatedOptions: Sendable {
    private let root: CommandSpec
    /// The option's label and its value as typed, in the order of the declarations.
    private let given: [(label: String, text: String)]
    /// What a subcommand's parameter stands for: these options cannot be combined with it.
    private let placed: [String: Set<String>]

    /// Takes those of `options` that were given.
    ///
    /// - Parameters:
    ///   - instead: labels and values that count in place of those on the command line, for one that says it by a parameter.
    ///   - placed: the options that the first parameter of a subcommand stands for, by the subcommand's name.
    package init(
        _ options: [any ArgumentDeclaration], of parsed: ParsedCommand, in program: Program,
        instead: [String: String] = [:], placed: [String: [any ArgumentDeclaration]] = [:]
    ) {
        root = program.root
        given = options.map(\.spec.label).compactMap { label in
            (instead[label] ?? parsed.texts[label]).map { (label, $0) }
        }
        self.placed = placed.mapValues { Set($0.map(\.spec.label)) }
    }

    /// The text with the options in each command line of the program that stands in it without them.
    ///
    /// A command line is the program's name and one of its subcommands; one whose name is followed by an option says itself whom it is
    /// about.
    package func repeated(in text: String) -> String {
        guard !given.isEmpty else { return text }
        let name = root.name + " "
        var (out, rest) = ("", Substring(text))
        while let start = rest.indices.first(where: { rest[$0...].hasPrefix(name) }) {
            let before = (out + rest[..<start]).last
            out += rest[..<start] + name
            rest = rest[start...].dropFirst(name.count)
            guard Self.isBoundary(before), let command = subcommand(at: rest) else { continue }
            let line = rest.prefix { !"';)\n".contains($0) }
            let words = self.words(for: command, in: line)
            if !words.isEmpty { out += words + " " }
        }
        return out + rest
    }

    private func subcommand(at text: Substring) -> CommandSpec? {
        let word = text.prefix { $0.isLetter || $0 == "-" }
        // A word that goes on is none of the program's: a file's name.
        var behind = text[word.endIndex...]
        if let mark = behind.first, ":,.".contains(mark) { behind = behind.dropFirst() }
        guard Self.isBoundary(behind.first) else { return nil }
        return root.subcommands.first { $0.name == word }
    }

    /// - Parameter line: the subcommand and the words behind it.
    private func words(for command: CommandSpec, in line: Substring) -> String {
        let typed = line.split(separator: " ").map(String.init).dropFirst()
        let hasParameter = typed.first.map { !$0.hasPrefix("-") } ?? false
        let replaced = hasParameter ? placed[command.name] ?? [] : []
        return given.filter { option in
            !typed.contains { $0 == option.label || $0.hasPrefix(option.label + "=") }
                && !command.leftOut.contains { $0.spec.label == option.label } && !replaced.contains(option.label)
        }
        .map { "\($0.label) \(ShellTree.word($0.text))" }.joined(separator: " ")
    }

    private static func isBoundary(_ character: Character?) -> Bool {
        guard let character else { return true }
        return " '(`\"\n);".contains(character)
    }
}
