/// Converts ROS names to Swift names.
enum SwiftNames {
    /// Words written in capitals: as a word of a namespace, or as a later word of a property.
    private static let acronyms: Set<String> = ["mrs", "tf2", "id", "uav"]

    private static let keywords: Set<String> = [
        "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum", "extension",
        "false", "for", "func", "guard", "if", "import", "in", "init", "inout", "is", "let", "nil", "operator",
        "private", "protocol", "public", "repeat", "return", "self", "static", "struct", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The namespace of a package: `mrs_msgs` is `MRSMsgs`.
    static func namespace(of package: Substring) -> String {
        words(of: package).map { acronyms.contains($0) ? $0.uppercased() : capitalised($0) }.joined()
    }

    /// The Swift type of a message: `geometry_msgs/Point` is `GeometryMsgs.Point`.
    static func type(of typeName: String) -> String {
        let parts = typeName.split(separator: "/")
        guard let package = parts.first, let name = parts.last else { return typeName }
        return "\(namespace(of: package)).\(name)"
    }

    /// The property of a field or a constant: `use_heading` is `useHeading`, `STATE_IDLE` is `stateIdle`.
    static func property(_ name: String) -> String {
        let isConstant = name == name.uppercased()
        let words = words(of: Substring(isConstant ? name.lowercased() : name))
        let joined = words.enumerated().map { index, word in
            if index == 0 { return word.prefix(1).lowercased() + word.dropFirst() }
            return acronyms.contains(word) ? word.uppercased() : capitalised(word)
        }.joined()
        return keywords.contains(joined) ? "`\(joined)`" : joined
    }

    private static func words(of name: Substring) -> [String] { name.split(separator: "_").map(String.init) }

    private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
