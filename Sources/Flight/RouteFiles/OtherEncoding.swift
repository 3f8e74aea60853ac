/// Text in another encoding than UTF-8 that does not say so, as older Windows programs write it.
enum OtherEncoding {
    /// What such text is, and what to do.
    static let advice =
        "not UTF-8, probably windows-1252 (in central Europe windows-1250); convert it, for example: "
        + "iconv -f windows-1252 -t UTF-8 FILE"

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
}
