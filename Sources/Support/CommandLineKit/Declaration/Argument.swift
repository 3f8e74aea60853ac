/// An argument of a command line (an option, a flag or a parameter) and the type of its value.
///
/// Created by ``Argument``; the same value declares the argument and reads it from the parsed command line.
public struct ArgumentKey<Result: Sendable>: ArgumentDeclaration {
    /// The properties that parser, help and completions use.
    public let spec: ArgumentSpec
    let extract: @Sendable ([any Sendable]) -> Result?
}

/// Any argument, whatever its type.
public protocol ArgumentDeclaration: Sendable {
    /// The properties that parser, help and completions use.
    var spec: ArgumentSpec { get }
}

/// The properties of an argument that parser, help and completions use.
public struct ArgumentSpec: Sendable {
    /// The kind of argument.
    public enum Role: Hashable, Sendable {
        /// `--name`, present or not.
        case flag
        /// `--name VALUE`.
        case option
        /// A positional word.
        case parameter
    }

    /// The kind of argument.
    public let role: Role
    /// The name without dashes; for a parameter its placeholder in the synopsis.
    public let name: String
    /// One letter, for `-v`.
    public let short: Character?
    /// The placeholder of the value in the synopsis; empty for a flag.
    public let placeholder: String
    /// Its purpose, in a line or two.
    public let help: String
    /// The default value as help shows it; empty if there is none.
    public let defaultText: String
    /// Whether it is required.
    public let isRequired: Bool
    /// Whether it may be given more than once.
    public let isRepeated: Bool
    /// How a shell may complete it.
    public let completion: ValueCompletion
    let read: @Sendable (String) throws(ValueError) -> any Sendable

    /// How the user types it: `--host`, or the parameter's name.
    public var label: String { role == .parameter ? name : "--" + name }
}

/// Creates arguments.
public enum Argument {
    /// `--name`, off unless given.
    public static func flag(_ name: String, short: Character? = nil, help: String) -> ArgumentKey<Bool> {
        let spec = ArgumentSpec(
            role: .flag, name: name, short: short, placeholder: "", help: help, defaultText: "", isRequired: false,
            isRepeated: false, completion: .none, read: { text in text })
        return ArgumentKey(spec: spec) { values in !values.isEmpty }
    }

    /// `-v` that counts how often it was given.
    public static func count(_ name: String, short: Character? = nil, help: String) -> ArgumentKey<Int> {
        let spec = ArgumentSpec(
            role: .flag, name: name, short: short, placeholder: "", help: help, defaultText: "", isRequired: false,
            isRepeated: true, completion: .none, read: { text in text })
        return ArgumentKey(spec: spec) { values in values.count }
    }

    /// An optional `--name VALUE`.
    public static func option<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value?> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false)
        return ArgumentKey(spec: spec) { values in .some(values.last as? Value) }
    }

    /// `--name VALUE` with a default; `defaultText` is how help shows it.
    public static func option<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, default standard: Value,
        defaultText: String, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false, defaultText: defaultText)
        return ArgumentKey(spec: spec) { values in values.isEmpty ? standard : values.last as? Value }
    }

    /// A required `--name VALUE`.
    public static func requiredOption<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: true)
        return ArgumentKey(spec: spec) { values in values.last as? Value }
    }

    /// `--name VALUE`, any number of times.
    public static func repeatedOption<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<[Value]> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false, isRepeated: true)
        return ArgumentKey(spec: spec) { values in values.compactMap { $0 as? Value } }
    }

    /// A required positional word.
    public static func parameter<Value>(
        _ name: String, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: true)
        return ArgumentKey(spec: spec) { values in values.last as? Value }
    }

    /// An optional positional word.
    public static func optionalParameter<Value>(
        _ name: String, _ kind: ValueKind<Value>, defaultText: String = "", help: String
    ) -> ArgumentKey<Value?> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: false, defaultText: defaultText)
        return ArgumentKey(spec: spec) { values in .some(values.last as? Value) }
    }

    /// All remaining words, at least one if required.
    public static func rest<Value>(
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
