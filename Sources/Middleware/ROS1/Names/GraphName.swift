public import ROSMessages

/// A fully qualified name in the ROS graph: it starts with `/`, and its parts consist of letters, digits and underscores,
/// each beginning with a letter or an underscore.
public struct GraphName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The longest name accepted, bytes: far above any real one, so that a hostile peer cannot exhaust the memory.
    public static let maximumLength = 1024

    /// The name with a leading `/` and without a trailing one; the root is `/`.
    public let text: String

    /// The root namespace.
    public static let root = GraphName(unchecked: "/")

    private init(unchecked text: String) { self.text = text }

    /// Parses a fully qualified name; repeated and trailing slashes are removed, as in `rospy`.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public init(_ text: String) throws(ROSError) {
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw ROSError(
                .invalidName, "'\(text)' is not a fully qualified graph name", hint: "it must start with '/'")
        }
        try Self.validate(text[...])
        self.init(unchecked: Self.joined(text))
    }

    /// Resolves a name: `/a` is absolute, `a` is relative to the namespace, `~a` is private to the node.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public init(_ text: String, namespace: GraphName, node: GraphName) throws(ROSError) {
        switch text.utf8.first {
        case nil: self = namespace
        case UInt8(ascii: "/"): try self.init(text)
        case UInt8(ascii: "~"):
            let rest = text.dropFirst()
            try Self.validate(rest)
            self.init(unchecked: Self.joined(node.text + "/" + rest))
        default:
            try Self.validate(text[...])
            self.init(unchecked: Self.joined(namespace.text + "/" + text))
        }
    }

    /// The name.
    public var description: String { text }

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// The name without its last part; that of the root is the root.
    public var namespace: GraphName {
        guard let slash = text.lastIndex(of: "/"), slash > text.startIndex else { return .root }
        return GraphName(unchecked: String(text[..<slash]))
    }

    private static func joined(_ text: String) -> String {
        "/" + text.split(separator: "/", omittingEmptySubsequences: true).joined(separator: "/")
    }

    private static func validate(_ text: Substring) throws(ROSError) {
        guard text.utf8.count <= maximumLength else {
            throw ROSError(
                .invalidName, "a graph name of \(text.utf8.count) bytes exceeds the bound of \(maximumLength)")
        }
        var atPartStart = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "/"):
                atPartStart = true
                continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                break
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !atPartStart:
                break
            default:
                throw ROSError(
                    .invalidName, "'\(text)' is not a graph name",
                    hint: "use letters, digits and underscores, parts separated by '/', each beginning with a letter")
            }
            atPartStart = false
        }
    }
}
