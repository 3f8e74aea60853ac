/// The name of an interface type: `package/msg/Name`, in keys and tokens `package::msg::dds_::Name_`.
public struct ROS2TypeName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The longest name that is accepted, bytes; type descriptions allow 255.
    public static let maximumLength = 255

    /// What the type is part of.
    public enum Kind: String, Sendable, CaseIterable {
        /// A message.
        case message = "msg"
        /// A service, or its request or response.
        case service = "srv"
        /// An action, or one of its messages and services.
        case action
    }

    /// The package.
    public let package: String
    /// What the type is part of.
    public let kind: Kind
    /// The name in the package.
    public let name: String

    /// Parses `package/msg/Name`; `nil` for anything else.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        self.init(package: parts[0], kind: parts[1], name: parts[2])
    }

    /// Parses `package::msg::dds_::Name_`; `nil` for anything else.
    public init?(dds text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        // Single colons separate nothing: an empty part stands between two.
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 7, parts[1].isEmpty, parts[3].isEmpty, parts[5].isEmpty, parts[4] == "dds_",
            parts[6].hasSuffix("_")
        else { return nil }
        self.init(package: parts[0], kind: parts[2], name: String(parts[6].dropLast()))
    }

    private init?(package: String, kind: String, name: String) {
        guard let kind = Kind(rawValue: kind), Self.isWord(package), Self.isWord(name) else { return nil }
        self.package = package
        self.kind = kind
        self.name = name
    }

    /// Whether this is a letter with letters, digits and underscores behind it.
    static func isWord(_ word: some StringProtocol) -> Bool {
        guard let first = word.utf8.first, first.isASCIILetter else { return false }
        return word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    /// `package/msg/Name`.
    public var text: String { "\(package)/\(kind.rawValue)/\(name)" }

    /// `package::msg::dds_::Name_`.
    public var ddsName: String { "\(package)::\(kind.rawValue)::dds_::\(name)_" }

    /// `package/msg/Name`.
    public var description: String { text }

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension UInt8 {
    var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
