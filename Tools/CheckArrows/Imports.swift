/// An `import` line of a Swift file.
struct Import: Equatable {
    var line: Int
    var module: String
    var isPublic: Bool

    /// All imports of a source text, except those in comments and multi-line strings.
    static func all(in source: String) -> [Import] {
        var found: [Import] = []
        var isInText = false
        var commentDepth = 0
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let wasInside = isInText || commentDepth > 0
            if line.occurrences(of: "\"\"\"") % 2 == 1, commentDepth == 0 { isInText.toggle() }
            if !isInText {
                commentDepth = max(0, commentDepth + line.occurrences(of: "/*") - line.occurrences(of: "*/"))
            }
            if !wasInside, let line = Import(line: String(line), number: index + 1) { found.append(line) }
        }
        return found
    }

    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]
    private static let access: Set<String> = ["public", "package", "internal", "fileprivate", "private"]

    init(line: Int, module: String, isPublic: Bool) {
        self.line = line
        self.module = module
        self.isPublic = isPublic
    }

    private init?(line: String, number: Int) {
        let code = line.range(before: "//")
        var words = code.split { $0 == " " || $0 == "\t" || $0 == ";" }.map(String.init)[...]
        var isPublic = false
        while let word = words.first, word.hasPrefix("@") || Self.access.contains(word) {
            if word == "public" || word == "@_exported" { isPublic = true }
            words = words.dropFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let kind = words.first, Self.kinds.contains(kind) { words = words.dropFirst() }
        guard let name = words.first?.prefix(while: { $0 != "." }), !name.isEmpty else { return nil }
        self.init(line: number, module: String(name), isPublic: isPublic)
    }
}

extension StringProtocol {
    fileprivate func occurrences(of pattern: String) -> Int {
        var count = 0
        var rest = Substring(self)
        while !rest.isEmpty {
            if rest.hasPrefix(pattern) {
                count += 1
                rest = rest.dropFirst(pattern.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return count
    }

    fileprivate func range(before pattern: String) -> String {
        var rest = Substring(self)
        var out = ""
        while let first = rest.first, !rest.hasPrefix(pattern) {
            out.append(first)
            rest = rest.dropFirst()
        }
        return out
    }
}
