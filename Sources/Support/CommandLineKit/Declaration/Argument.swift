/// An argument of a command line (an option, a flag or a parameter) and the type of its value.
///
/// Created by ``Argument``; the same value declares the argument and reads it from the parsed command line.
package struct ArgumentKey<Result: Sendable>: ArgumentDeclaration {
    /// The properties that parser, help and completions use.
    package let spec: ArgumentSpec
    let extract: @Sendable ([any Sendable]) -> Result?
}

/// Any argument, whatever its type.
package protocol ArgumentDeclaration: Sendable {
    /// The properties that parser, help and completions use.
    var spec: ArgumentSpec { get }
}

/// The properties of an argument that parser, help and completions use.
package struct ArgumentSpec: Sendable {
    package enum Role: Hashable, Sendable {
        /// `--name`, present or not.
        case flag
        /// `--name VALUE`.
        case option
        /// A positional word.
        case parameter
    }

    package let role: Role
    /// The name without dashes; for a parameter its placeholder in the synopsis.
    package let name: String
    /// One letter, for `-v`.
    package let short: Character?
    /// The placeholder of the value in the synopsis; empty for a flag.
    package let placeholder: String
    /// Its purpose, in a line or two.
    package let help: String
    /// The default value as help shows it; empty if there is none.
    package let defaultText: String
    /// Whether it is required.
    package let isRequired: Bool
    /// Whether it may be given more than once.
    package let isRepeated: Bool
    /// How a shell may complete it.
    package let completion: ValueCompletion
    let read: @Sendable (String) throws(ValueError) -> any Sendable

    /// How the user types it: `--host`, or the parameter's name.
    package var label: String { role == .parameter ? name : "--" + name }
}

/// Creates arguments.
package enum Argument {
    /// `--name`, off unless given.
    package static func flag(_ name: String, short: Character? = nil, help: String) -> ArgumentKey<Bool> {
        let spec = ArgumentSpec(
            role: .flag, name: name, short: short, placeholder: "", help: help, defaultText: "", isRequired: false,
            isRepeated: false, completion: .none, read: { text in text })
        return ArgumentKey(spec: spec) { values in !values.isEmpty }
    }

    /// `-v` that counts how often it was given.
    package static func count(_ name: String, short: Character? = nil, help: String) -> ArgumentKey<Int> {
        let spec = ArgumentSpec(
            role: .flag, name: name, short: short, placeholder: "", help: help, defaultText: "", isRequired: false,
            isRepeated: true, completion: .none, read: { text in text })
        return ArgumentKey(spec: spec) { values in values.count }
    }

    /// An optional `--name VALUE`.
    package static func option<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value?> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false)
        return ArgumentKey(spec: spec) { values in .some(values.last as? Value) }
    }

    /// `--name VALUE` with a default; `defaultText` is how help shows it.
    package static func option<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, default standard: Value,
        defaultText: String, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false, defaultText: defaultText)
        return ArgumentKey(spec: spec) { values in values.isEmpty ? standard : values.last as? Value }
    }

    /// A required `--name VALUE`.
    package static func requiredOption<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: true)
        return ArgumentKey(spec: spec) { values in values.last as? Value }
    }

    /// `--name VALUE`, any number of times.
    package static func repeatedOption<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<[Value]> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false, isRepeated: true)
        return ArgumentKey(spec: spec) { values in values.compactMap { $0 as? Value } }
    }

    /// A required positional word.
    package static func parameter<Value>(
        _ name: String, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: true)
        return ArgumentKey(spec: spec) { values in values.last as? Value }
    }

    /// An optional positional word.
    package static func optionalParameter<Value>(
        _ name: String, _ kind: ValueKind<Value>, defaultText: String = "", help: String
    ) -> ArgumentKey<Value?> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: false, defaultText: defaultText)
        return ArgumentKey(spec: spec) { values in .some(values.last as? Value) }
    }

    /// All remaining words, at least one if required.
    package static func rest<Value>(
        _ name: String, _ kind: ValueKind<Value>, isRequired: Bool, help: String
    ) -> ArgumentKey<[Value]> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: isRequired, isRepeated: true)
        return ArgumentKey(spec: spec) { values in values.compactMap { $0 as? Value } }
    }

    private static func spec<Value>(
        _ role: ArgumentSpec.Role, _ name: String, _ short: Character?, _ kind: ValueKind<Value>, _ help: String,
        isRequired: Bool, isRepeated: Bool = false, defaultText: String = ""
    ) -> ArgumentSpec {
        ArgumentSpec(
            role: role, name: name, short: short, placeholder: kind.placeholder, help: help, defaultText: defaultText,
            isRequired: isRequired, isRepeated: isRepeated, completion: kind.completion,
            read: { text throws(ValueError) in try kind.read(text) })
    }
}
