/// Text in another encoding than UTF-8: that does not say so, as older Windows programs write it, or that is not known.
package enum OtherEncoding {
    /// What text in UTF-16 is, and what to do.
    static let wideAdvice = "text in UTF-16; expected UTF-8; run: iconv -f UTF-16 -t UTF-8 FILE"
    /// What text is that does not say so, and what to do.
    static let advice =
        "not UTF-8, probably windows-1252 (in central Europe windows-1250); convert it, for example: "
        + "iconv -f windows-1252 -t UTF-8 FILE"

    /// The first line that is not UTF-8, and what to do; `nil` if all lines are.
    package static func problem(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return wideAdvice }
        return line(bytes).map { "line \($0): \(advice)" }
    }

    /// The first line that is not UTF-8, from 1; `nil` if all lines are.
    static func line(_ bytes: [UInt8]) -> Int? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        var number = 0
        for line in TextLines(bytes) {
            number += 1
            guard line.contains(where: { $0 >= 0x80 }) else { continue }
            if !String(decoding: line, as: UTF8.self).utf8.elementsEqual(line) { return number }
        }
        return nil
    }

    /// Whether an XML document says that it is in another encoding: by its first bytes, or in its declaration.
    static func isNamed(inXML bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(200)
        guard let first = start.first, first < 0xFE, !start.prefix(4).contains(0) else { return true }
        let declaration = String(decoding: start, as: UTF8.self).prefix { $0 != ">" }.lowercased()
        return declaration.contains("encoding") && !declaration.contains("utf-8")
    }
    /// What to do about the encoding that an XML document names, if that is not known; `nil` without a name.
    static func unknownAdvice(inXML bytes: [UInt8]) -> String? {
        let declaration = String(decoding: bytes.prefix(200), as: UTF8.self).prefix { $0 != ">" }
        guard let key = declaration.firstRange(of: "encoding") else { return nil }
        let name = declaration[key.upperBound...].drop { " \t=\"'".contains($0) }
            .prefix { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "-_.".contains($0) }
        guard !name.isEmpty else { return nil }
        return "the encoding \(name) is not known; expected UTF-8, UTF-16, ISO-8859-1, windows-1252 or windows-1250;"
            + " convert it, for example: iconv -f \(name) -t UTF-8 FILE | sed '1s/\(name)/UTF-8/' > NEW"
    }
}
