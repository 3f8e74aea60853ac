/// What stands on a command line: an option, a flag or a parameter, and what asking for it gives.
///
/// Made by ``Argument``; the same value declares the argument and reads it from what was parsed.
public struct ArgumentKey<Result: Sendable>: ArgumentDeclaration {
    /// What the parser, the help and the completions need to know of it.
    public let spec: ArgumentSpec
    let extract: @Sendable ([any Sendable]) -> Result?
}

/// Any argument, whatever it gives.
public protocol ArgumentDeclaration: Sendable {
    /// What the parser, the help and the completions need to know of it.
    var spec: ArgumentSpec { get }
}

/// What the parser, the help and the completions need to know of an argument.
public struct ArgumentSpec: Sendable {
    /// Where it stands.
    public enum Role: Hashable, Sendable {
        /// `--name`, present or not.
        case flag
        /// `--name VALUE`.
        case option
        /// A word by its place.
        case parameter
    }

    /// Where it stands.
    public let role: Role
    /// The name without dashes; for a parameter what stands for it in the synopsis.
    public let name: String
    /// One letter, for `-v`.
    public let short: Character?
    /// What stands for the value in the synopsis; empty for a flag.
    public let placeholder: String
    /// What it is for, in a line or two.
    public let help: String
    /// The value when it is not given, as help shows it; empty when there is none.
    public let defaultText: String
    /// Whether it must be there.
    public let isRequired: Bool
    /// Whether it may be given more than once.
    public let isRepeated: Bool
    /// How a shell may complete it.
    public let completion: ValueCompletion
    let read: @Sendable (String) throws(ValueProblem) -> any Sendable

    /// How a person types it: `--host`, or the parameter's name.
    public var label: String { role == .parameter ? name : "--" + name }
}

/// Makes arguments.
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

    /// `--name VALUE`, or nothing.
    public static func option<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value?> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false)
        return ArgumentKey(spec: spec) { values in .some(values.last as? Value) }
    }

    /// `--name VALUE`, with a value of its own when not given; `defaultText` is how help shows it.
    public static func option<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, default standard: Value,
        defaultText: String, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false, defaultText: defaultText)
        return ArgumentKey(spec: spec) { values in values.isEmpty ? standard : values.last as? Value }
    }

    /// `--name VALUE` that must be there.
    public static func requiredOption<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: true)
        return ArgumentKey(spec: spec) { values in values.last as? Value }
    }

    /// `--name VALUE`, as often as one likes.
    public static func repeatedOption<Value>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<[Value]> {
        let spec = self.spec(.option, name, short, kind, help, isRequired: false, isRepeated: true)
        return ArgumentKey(spec: spec) { values in values.compactMap { $0 as? Value } }
    }

    /// A word that must be there.
    public static func parameter<Value>(
        _ name: String, _ kind: ValueKind<Value>, help: String
    ) -> ArgumentKey<Value> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: true)
        return ArgumentKey(spec: spec) { values in values.last as? Value }
    }

    /// A word that may be there.
    public static func optionalParameter<Value>(
        _ name: String, _ kind: ValueKind<Value>, defaultText: String = "", help: String
    ) -> ArgumentKey<Value?> {
        let spec = self.spec(.parameter, name, nil, kind, help, isRequired: false, defaultText: defaultText)
        return ArgumentKey(spec: spec) { values in .some(values.last as? Value) }
    }

    /// All the words that are left, at least one when required.
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
            read: { text throws(ValueProblem) in try kind.read(text) })
    }
}
