/// ROS 2 definitions that refer to each other, from which descriptions, hashes and full texts are made.
public struct InterfaceSet: Sendable {
    /// The deepest nesting of messages; the deepest in use is 6.
    public static let maximumDepth = 32
    /// The most definitions in one full text.
    public static let maximumDefinitions = 256

    /// The definitions by type name.
    public private(set) var definitions: [String: InterfaceDefinition] = [:]

    private static let separator = String(repeating: "=", count: 80)

    /// Creates an empty set.
    public init() {}

    /// Parses the full text of a type, as recordings contain it: its definition, then the others, each below a line of 80 `=`
    /// and `MSG: package/Name`.
    ///
    /// - Throws: ``InterfaceError`` with the line within its definition.
    public init(fullText: String, typeName: String) throws(InterfaceError) {
        var name = typeName
        var lines: [Substring] = []
        var expectsName = false
        for bytes in fullText.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Substring(bytes)
            if expectsName {
                guard line.trimmed.hasPrefix("MSG:") else {
                    throw InterfaceError("'MSG: package/Name' does not follow a line of '='", in: typeName)
                }
                let parts = line.trimmed.dropFirst(4).trimmed.split(separator: "/", omittingEmptySubsequences: false)
                name = parts.count == 2 ? "\(parts[0])/msg/\(parts[1])" : parts.joined(separator: "/")
                expectsName = false
            } else if line.trimmed == Self.separator {
                insert(try InterfaceDefinition(typeName: name, text: lines.joined(separator: "\n")))
                guard definitions.count < Self.maximumDefinitions else {
                    throw InterfaceError("more than \(Self.maximumDefinitions) definitions", in: typeName)
                }
                lines = []
                expectsName = true
            } else {
                lines.append(line)
            }
        }
        guard !expectsName else { throw InterfaceError("the text ends after a line of '='", in: typeName) }
        insert(try InterfaceDefinition(typeName: name, text: lines.joined(separator: "\n")))
    }

    /// Adds a definition; replaces one of the same name.
    public mutating func insert(_ definition: InterfaceDefinition) {
        definitions[definition.type.typeName] = definition
    }

    /// The description of a type with all types in it.
    ///
    /// - Throws: ``InterfaceError`` when one is missing or contains itself.
    public func description(of typeName: String) throws(InterfaceError) -> TypeDescription {
        let names = try dependencies(of: typeName)
        var referenced: [IndividualTypeDescription] = []
        for name in names { referenced.append(try definition(of: name).type) }
        return TypeDescription(type: try definition(of: typeName).type, referenced: referenced)
    }

    /// The definition with all that it depends on, as in recordings.
    ///
    /// - Throws: ``InterfaceError`` when one is missing or contains itself.
    public func fullText(of typeName: String) throws(InterfaceError) -> String {
        var text = try definition(of: typeName).text
        for name in try dependencies(of: typeName) {
            let parts = name.split(separator: "/")
            text += "\n\(Self.separator)\nMSG: \(parts.first ?? "")/\(parts.last ?? "")\n"
            text += try definition(of: name).text
        }
        return text
    }

    /// The definition of a type.
    ///
    /// - Throws: ``InterfaceError`` when there is none.
    public func definition(of typeName: String) throws(InterfaceError) -> InterfaceDefinition {
        guard let definition = definitions[typeName] else {
            throw InterfaceError("its definition is missing", in: typeName)
        }
        return definition
    }

    /// All types that a type depends on, depth first, each once.
    ///
    /// - Throws: ``InterfaceError`` when one is missing or contains itself.
    public func dependencies(of typeName: String) throws(InterfaceError) -> [String] {
        var found: [String] = []
        var met: Set<String> = []
        var path = [typeName]
        try collect(typeName, path: &path, met: &met, into: &found)
        return found
    }

    private func collect(
        _ typeName: String, path: inout [String], met: inout Set<String>, into found: inout [String]
    ) throws(InterfaceError) {
        guard path.count <= Self.maximumDepth else {
            throw InterfaceError("messages nested deeper than \(Self.maximumDepth)", in: typeName)
        }
        for field in try definition(of: typeName).type.fields {
            guard case .nested(let name) = field.type.element else { continue }
            guard !path.contains(name) else {
                throw InterfaceError("it contains itself through '\(typeName)'", in: name)
            }
            guard met.insert(name).inserted else { continue }
            found.append(name)
            path.append(name)
            try collect(name, path: &path, met: &met, into: &found)
            path.removeLast()
        }
    }
}
