/// A message definition in the format of ROS 2's `.msg` files: with bounds and defaults, and full names for other packages.
public struct InterfaceDefinition: Hashable, Sendable {
    /// The largest text of one definition in bytes.
    public static let maximumTextBytes = 1 << 20
    /// The longest array, and the largest bound.
    public static let maximumCount: UInt64 = 1 << 20

    /// The unparsed text.
    public let text: String
    /// The type and its fields.
    public let type: IndividualTypeDescription
    /// The constants in the order of the text.
    public let constants: [Constant]

    /// One constant.
    public struct Constant: Hashable, Sendable {
        /// The type.
        public let type: FieldShape
        /// The name.
        public let name: String
        /// The value as written; the text of a string is without its quotes.
        public let value: String
    }

    /// Parses the text of a `.msg` file.
    ///
    /// - Parameter typeName: `package/msg/Name`; types without a package in the text belong to this package.
    /// - Throws: ``InterfaceError`` with the line.
    public init(typeName: String, text: String) throws(InterfaceError) {
        guard let name = ROS2TypeName(typeName) else {
            throw InterfaceError("a type name has the form package/msg/Name", in: typeName)
        }
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw InterfaceError("the text has more than \(Self.maximumTextBytes) bytes", in: typeName)
        }
        var constants: [Constant] = []
        var fields: [IndividualTypeDescription.Field] = []
        for (index, bytes) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            guard let line = InterfaceLine(Substring(bytes)) else { continue }
            do {
                switch try line.member(package: name.package) {
                case .constant(let constant): constants.append(constant)
                case .field(let field): fields.append(field)
                }
            } catch {
                throw InterfaceError(error.what, in: typeName, line: index + 1)
            }
        }
        self.text = text
        self.constants = constants
        type = IndividualTypeDescription(typeName: typeName, fields: fields)
    }
}

/// An error in a ROS 2 definition, and its position.
public struct InterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type with the invalid definition.
    public let typeName: String
    /// The line, counted from 1; 0 for errors without a line.
    public let line: Int
    /// What is wrong.
    public let what: String

    /// Creates an error.
    package init(_ what: String, in typeName: String, line: Int = 0) {
        self.what = what
        self.typeName = typeName
        self.line = line
    }

    /// One line.
    public var description: String { line > 0 ? "\(typeName), line \(line): \(what)" : "\(typeName): \(what)" }
}
