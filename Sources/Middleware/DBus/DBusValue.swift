/// A value of a D-Bus message. Variants are opened when they are read, and structures and arrays are lists.
package indirect enum DBusValue: Hashable, Sendable {
    case bool(Bool)
    /// Any integer, also a byte.
    case integer(Int64)
    /// An integer that ``integer(_:)`` cannot hold.
    case large(UInt64)
    case double(Double)
    /// A string, an object path or a signature. Untrusted.
    case string(String)
    case bytes([UInt8])
    /// An array or a structure.
    case list([DBusValue])
    /// A dictionary whose keys are strings or object paths.
    case dictionary([String: DBusValue])
    /// What is not understood here: a descriptor, a dictionary with other keys.
    case other

    /// The text of a string.
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The truth of a boolean.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number of an integer.
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The bytes of an array of bytes.
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// The entries of a dictionary.
    package var dictionary: [String: DBusValue]? { if case .dictionary(let entries) = self { entries } else { nil } }
    /// The texts of a list of strings; what else is in it is left out.
    package var strings: [String]? { if case .list(let values) = self { values.compactMap(\.string) } else { nil } }
}

/// A call of a method.
package struct DBusCall: Hashable, Sendable {
    /// Whom to call.
    package var destination: String
    /// On which of its objects.
    package var path: String
    package var interface: String
    package var member: String
    /// Booleans, strings, bytes, lists of strings, and dictionaries of these, which are sent as `a{sv}`.
    package var arguments: [DBusValue]

    /// A call.
    package init(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// What a call was answered with that has failed.
package struct DBusError: Error, Hashable, Sendable {
    /// The error's name: `org.bluez.Error.Failed`.
    package var name: String
    /// What its sender says. Untrusted.
    package var message: String

    /// An error.
    package init(_ name: String, _ message: String = "") {
        self.name = name
        self.message = message
    }
}

/// Something that has come over a bus.
package enum DBusEvent: Hashable, Sendable {
    /// The answer to a call, by the number of ``MessageBus/send(_:)``; the sender is a unique name, or the bus itself.
    case reply(to: UInt64, sender: String, Result<[DBusValue], DBusError>)
    /// A signal.
    case signal(DBusSignal)
}

/// A signal of an object.
package struct DBusSignal: Hashable, Sendable {
    /// The unique name of its sender, or `org.freedesktop.DBus`.
    package var sender: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    /// A signal.
    package init(
        sender: String, path: String, interface: String, member: String, _ arguments: [DBusValue] = []
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
