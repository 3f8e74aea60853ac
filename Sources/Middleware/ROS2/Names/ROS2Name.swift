public import ROSMessages

/// A fully qualified name of a topic or service: it begins with `/`, and its parts consist of letters, digits and underscores,
/// each beginning with a letter or an underscore.
public struct ROS2Name: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The longest name, bytes: that of the ROS 2 libraries.
    public static let maximumLength = 247

    /// The name with a leading `/`.
    public let text: String

    /// Parses a fully qualified name.
    ///
    /// - Throws: `ROSError` with `invalidName`.
    public init(_ text: String) throws(ROSError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw ROSError(.invalidName, "a name of \(text.utf8.count) bytes is longer than \(Self.maximumLength)")
        }
        guard Self.isQualified(text) else {
            throw ROSError(
                .invalidName, "'\(text)' is not a fully qualified name",
                hint: "use letters, digits and underscores, parts separated and preceded by '/'")
        }
        self.text = text
    }

    /// Resolves a name: `/a` is absolute, `a` is relative to the node's namespace, `~/a` is private to the node.
    ///
    /// - Throws: `ROSError` with `invalidName`.
    public init(_ text: String, node: ROS2NodeName) throws(ROSError) {
        switch text.utf8.first {
        case UInt8(ascii: "/"): try self.init(text)
        case UInt8(ascii: "~") where text.hasPrefix("~/"): try self.init(node.text + text.dropFirst())
        default: try self.init(node.prefix + text)
        }
    }

    static func isQualified(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count >= 2 && parts.first?.isEmpty == true && parts.dropFirst().allSatisfy { isPart($0) }
    }

    static func isPart(_ part: Substring) -> Bool {
        guard let first = part.utf8.first, !first.isASCIIDigit else { return false }
        return part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    /// The name.
    public var description: String { text }

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The name of a node and the namespace that it is in. Names are not unique in ROS 2: nothing prevents two nodes with the same.
public struct ROS2NodeName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// `/` or `/a/b`.
    public let namespace: String
    /// One part.
    public let name: String

    /// Creates a name.
    ///
    /// - Parameter namespace: `/` or `/a/b`; empty stands for `/`.
    /// - Throws: `ROSError` with `invalidName`.
    public init(namespace: String = "/", name: String) throws(ROSError) {
        let namespace = namespace.isEmpty ? "/" : namespace
        guard namespace == "/" || ROS2Name.isQualified(namespace), ROS2Name.isPart(name[...]),
            namespace.utf8.count + name.utf8.count < ROS2Name.maximumLength
        else {
            throw ROSError(
                .invalidName, "'\(name)' in '\(namespace)' is not the name of a node",
                hint: "use letters, digits and underscores")
        }
        self.namespace = namespace
        self.name = name
    }

    /// The namespace with a `/` at its end.
    var prefix: String { namespace == "/" ? namespace : namespace + "/" }

    /// `/a/b/node`.
    public var text: String { prefix + name }

    /// `/a/b/node`.
    public var description: String { text }

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
