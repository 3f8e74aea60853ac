/// A call of a free function of the system, such as `poll(...)` or `Glibc.poll(...)`.
struct Call: Equatable {
    var line: Int
    var function: String

    /// All calls of these functions in a source text, except those in comments; methods of the same names are left out.
    static func all(of functions: Set<String>, in source: String) -> [Call] {
        var found: [Call] = []
        for (index, line) in source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            for name in calls(in: line) where functions.contains(name) {
                found.append(Call(line: index + 1, function: name))
            }
        }
        return found
    }

    /// The names that an opening parenthesis follows, and neither `func` nor the name of a value precedes.
    private static func calls(in line: Substring.UTF8View) -> [String] {
        var found: [String] = []
        var word: [UInt8] = []
        // What stands before the word, and before the punctuation between.
        var (before, separator) = ("", UInt8(ascii: " "))
        var last = UInt8(ascii: " ")
        for byte in line {
            if byte == UInt8(ascii: "/"), last == byte { break }
            if isWord(byte) {
                if word.isEmpty { separator = last }
                word.append(byte)
            } else if !word.isEmpty {
                let name = String(decoding: word, as: UTF8.self)
                let isMethod = separator == UInt8(ascii: ".") && before != "Glibc" && before != "Darwin"
                if byte == UInt8(ascii: "("), !isMethod, before != "func" || separator != UInt8(ascii: " ") {
                    found.append(name)
                }
                before = name
                word = []
            }
            last = byte
        }
        return found
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"):
            true
        default: byte >= 0x80
        }
    }
}
