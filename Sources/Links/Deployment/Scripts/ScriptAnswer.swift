/// What a script of ours printed on the vehicle: lines of `uavlink NAME VALUE`, from `begin` to `end`.
///
/// All other lines are ignored: greetings of the log-in shell, messages of programs.
struct ScriptAnswer: Hashable, Sendable {
    private struct Line: Hashable {
        var name: String
        var value: String
    }

    /// The most bytes that are read of an output, and of one value; the scripts print a few thousand.
    static let longestOutput = 64 * 1024
    static let longestValue = 4096

    private var lines: [Line] = []

    /// Reads an output of any contents.
    init(_ printed: String) {
        for line in String(decoding: printed.utf8.prefix(Self.longestOutput), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
        {
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count > 1, words[0] == "uavlink", !words[1].isEmpty else { continue }
            let value = words.count > 2 ? String(words[2]) : ""
            // A value with a control character is none of a script of ours.
            guard value.utf8.count <= Self.longestValue, value.unicodeScalars.allSatisfy({ !Self.isControl($0) })
            else { continue }
            lines.append(Line(name: String(words[1]), value: value))
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

    /// Whether the script ran from its beginning to its end.
    var isComplete: Bool { has("begin") && has("end") }

    /// Whether it printed this name.
    func has(_ name: String) -> Bool { lines.contains { $0.name == name } }

    /// The first value of that name.
    subscript(name: String) -> String? { lines.first { $0.name == name }?.value }

    /// The values of that name in the order in which they were printed, `limit` at most.
    func all(_ name: String, limit: Int = 50) -> [String] {
        lines.filter { $0.name == name }.prefix(limit).map(\.value)
    }
}
