/// Message definitions that refer to each other, from which MD5 sums and full texts are computed.
public struct DefinitionSet: Sendable {
    /// The deepest nesting of messages; the deepest in use is 6.
    public static let maximumDepth = 32
    /// The most definitions in one full text.
    public static let maximumDefinitions = 256

    /// The definitions by type name.
    public private(set) var messages: [String: MessageDefinition] = [:]

    /// The separator line between definitions in a full text.
    private static let separator = String(repeating: "=", count: 80)

    /// Creates an empty set.
    public init() {}

    /// Parses the full text from a connection header or a bag.
    ///
    /// - Throws: ``DefinitionError`` with the line within its definition, or the missing type.
    public init(fullText: String, typeName: String) throws(DefinitionError) {
        var name = typeName
        var lines: [Substring] = []
        var expectsName = false
        for bytes in fullText.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Substring(bytes)
            if expectsName {
                guard line.trimmed.hasPrefix("MSG:") else {
                    throw DefinitionError("'MSG: package/Name' does not follow a line of '='", in: typeName)
                }
                name = String(line.trimmed.dropFirst(4).trimmed)
                expectsName = false
            } else if line.trimmed == Self.separator {
                try insert(MessageDefinition(typeName: name, text: lines.joined(separator: "\n")))
                guard messages.count < Self.maximumDefinitions else {
                    throw DefinitionError("more than \(Self.maximumDefinitions) definitions", in: typeName)
                }
                lines = []
                expectsName = true
            } else {
                lines.append(line)
            }
        }
        guard !expectsName else { throw DefinitionError("the text ends after a line of '='", in: typeName) }
        try insert(MessageDefinition(typeName: name, text: lines.joined(separator: "\n")))
        _ = try dependencies(of: typeName)
    }

    /// Adds a definition; replaces one of the same name.
    public mutating func insert(_ definition: MessageDefinition) { messages[definition.typeName] = definition }

    /// The definition of a type.
    ///
    /// - Throws: ``DefinitionError`` when there is none.
    public func definition(of typeName: String) throws(DefinitionError) -> MessageDefinition {
        guard let definition = messages[typeName] else {
            throw DefinitionError("its definition is missing", in: typeName)
        }
        return definition
    }

    /// All message types that a type depends on, depth first, each once.
    ///
    /// - Throws: ``DefinitionError`` when one is missing or contains itself.
    public func dependencies(of typeName: String) throws(DefinitionError) -> [String] {
        var found: [String] = []
        var met: Set<String> = []
        var path = [typeName]
        try collect(typeName, path: &path, met: &met, into: &found)
        return found
    }

    private func collect(
        _ typeName: String, path: inout [String], met: inout Set<String>, into found: inout [String]
    ) throws(DefinitionError) {
        guard path.count <= Self.maximumDepth else {
            throw DefinitionError("messages nested deeper than \(Self.maximumDepth)", in: typeName)
        }
        for dependency in try definition(of: typeName).dependencies {
            guard !path.contains(dependency) else {
                throw DefinitionError("it contains itself through '\(typeName)'", in: dependency)
            }
            // The dependencies of a type that was visited before are collected already.
            guard met.insert(dependency).inserted else { continue }
            found.append(dependency)
            path.append(dependency)
            try collect(dependency, path: &path, met: &met, into: &found)
            path.removeLast()
        }
    }

    /// The MD5 sum of a message: that of ``md5Text(of:)``.
    ///
    /// - Throws: ``DefinitionError`` when a type it depends on is missing or contains itself.
    public func md5(of typeName: String) throws(DefinitionError) -> String {
        MD5.hexadecimal(of: try md5Text(of: typeName))
    }

    /// The MD5 sum of a service: over the texts of request and response, concatenated.
    ///
    /// - Throws: ``DefinitionError`` when a type it depends on is missing or contains itself.
    public func md5(of service: ServiceDefinition) throws(DefinitionError) -> String {
        MD5.hexadecimal(of: try md5Text(of: service.request) + md5Text(of: service.response))
    }

    /// The text over which ROS computes the MD5 sum: constants, then fields, one per line without comments; a field of a message
    /// type has that message's sum in place of the type.
    ///
    /// - Throws: ``DefinitionError`` when a type it depends on is missing or contains itself.
    public func md5Text(of typeName: String) throws(DefinitionError) -> String {
        try md5Text(of: definition(of: typeName))
    }

    /// As ``md5Text(of:)``, for a definition that need not be in this set.
    public func md5Text(of definition: MessageDefinition) throws(DefinitionError) -> String {
        var sums: [String: String] = [:]
        return try md5Text(of: definition, depth: 0, sums: &sums)
    }

    private func md5Text(
        of definition: MessageDefinition, depth: Int, sums: inout [String: String]
    ) throws(DefinitionError) -> String {
        guard depth < Self.maximumDepth else {
            throw DefinitionError(
                "it contains itself, or is nested deeper than \(Self.maximumDepth)", in: definition.typeName)
        }
        var lines = definition.constants.map { "\($0.type.rawValue) \($0.md5Name)=\($0.value)" }
        for field in definition.fields {
            switch field.element {
            case .builtin: lines.append("\(field.writtenType) \(field.name)")
            case .message(let name):
                if sums[name] == nil {
                    let text = try md5Text(of: self.definition(of: name), depth: depth + 1, sums: &sums)
                    sums[name] = MD5.hexadecimal(of: text)
                }
                lines.append("\(sums[name] ?? "") \(field.name)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The definition with all its dependencies, as in connection headers and bags.
    ///
    /// - Throws: ``DefinitionError`` when a type it depends on is missing or contains itself.
    public func fullText(of typeName: String) throws(DefinitionError) -> String {
        var text = try definition(of: typeName).text
        for dependency in try dependencies(of: typeName) {
            text += "\n\(Self.separator)\nMSG: \(dependency)\n"
            text += try definition(of: dependency).text
        }
        return text
    }
}

extension DefinitionSet {
    /// The smallest size of a message in bytes: with empty strings and arrays.
    ///
    /// - Throws: ``DefinitionError`` when a type it depends on is missing or contains itself.
    public func minimumSize(of typeName: String) throws(DefinitionError) -> Int {
        try minimumSizes(of: typeName)[typeName] ?? 0
    }

    /// The smallest sizes of a message and of each nested message in bytes, by type name.
    func minimumSizes(of typeName: String) throws(DefinitionError) -> [String: Int] {
        _ = try dependencies(of: typeName)
        var sizes: [String: Int] = [:]
        _ = try minimumSize(of: typeName, sizes: &sizes)
        return sizes
    }

    private func minimumSize(of typeName: String, sizes: inout [String: Int]) throws(DefinitionError) -> Int {
        if let known = sizes[typeName] { return known }
        var size = 0
        for field in try definition(of: typeName).fields {
            let element =
                switch field.element {
                case .builtin(let type): type.minimumSize
                case .message(let name): try minimumSize(of: name, sizes: &sizes)
                }
            switch field.count {
            case .one: size += element
            case .any: size += 4
            case .fixed(let count): size += count * element
            }
            guard size <= Self.maximumMinimumSize else {
                throw DefinitionError("its fixed arrays take more than \(Self.maximumMinimumSize) bytes", in: typeName)
            }
        }
        sizes[typeName] = size
        return size
    }

    /// The largest fixed part of a message: 1 GiB.
    private static var maximumMinimumSize: Int { 1 << 30 }
}
