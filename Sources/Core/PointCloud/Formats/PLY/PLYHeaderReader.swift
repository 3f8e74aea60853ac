/// Parses the header of a PLY file.
struct PLYHeaderReader {
    private let source: CloudSource
    private var encoding: PLYHeader.Encoding?
    private var elements: [PLYHeader.Element] = []
    private var line = 0

    static func read(_ bytes: UnsafeRawBufferPointer, source: CloudSource) throws(PointCloudError) -> PLYHeader {
        var reader = Self(source: source)
        return try reader.read(bytes)
    }

    private init(source: CloudSource) { self.source = source }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(PointCloudError) -> PLYHeader {
        var lines = HeaderLines(bytes)
        while let text = lines.next() {
            line = lines.line
            let words = HeaderLines.words(text).map { String(decoding: $0, as: UTF8.self) }
            switch words.first {
            case nil, "comment", "obj_info": continue
            case "ply" where line == 1: continue
            case "format": try takeFormat(words)
            case "element": try takeElement(words)
            case "property": try takeProperty(words)
            case "end_header":
                guard let encoding else { throw source.error(line: line, "the header has no format line") }
                return PLYHeader(
                    encoding: encoding, elements: elements, bodyStart: lines.nextOffset, bodyLine: line + 1)
            case .some(let word):
                throw source.error(
                    line: line, "expected a PLY header keyword, found \(CloudSource.shown(word.utf8))")
            }
        }
        throw source.error(
            .truncated,
            bytes.count > lines.byteCount
                ? "no end_header in the first \(lines.byteCount) bytes" : "ends before the end_header of the PLY header"
        )
    }

    private mutating func takeFormat(_ words: [String]) throws(PointCloudError) {
        guard encoding == nil else { throw source.error(line: line, "duplicate format") }
        guard words.count == 3, let found = PLYHeader.Encoding(rawValue: words[1]) else {
            throw source.error(
                .unsupported, line: line,
                "\(CloudSource.shown(words.joined(separator: " ").utf8)); expected format ascii, binary_little_endian or "
                    + "binary_big_endian, and a version")
        }
        guard words[2] == "1.0" else {
            throw source.error(
                .unsupported, line: line, "version \(CloudSource.shown(words[2].utf8)); supported is 1.0")
        }
        encoding = found
    }

    private mutating func takeElement(_ words: [String]) throws(PointCloudError) {
        guard words.count == 3, let count = Int(words[2]), count >= 0 else {
            throw source.error(
                line: line,
                "\(CloudSource.shown(words.joined(separator: " ").utf8)); expected element, a name and a non-negative integer"
            )
        }
        guard !elements.contains(where: { $0.name == words[1] }) else {
            throw source.error(line: line, "duplicate element \(CloudSource.shown(words[1].utf8))")
        }
        guard elements.count < 64 else { throw source.error(.tooLarge, line: line, "more than 64 elements") }
        elements.append(.init(name: words[1], count: count, line: line))
    }

    private mutating func takeProperty(_ words: [String]) throws(PointCloudError) {
        guard let last = elements.indices.last else {
            throw source.error(line: line, "a property before the first element")
        }
        guard elements[last].properties.count < CloudLimits.fields else {
            throw source.error(.tooLarge, line: line, "more than \(CloudLimits.fields) properties")
        }
        let isList = words.count == 5 && words[1] == "list"
        guard isList || (words.count == 3 && words[1] != "list") else {
            throw source.error(
                line: line,
                "\(CloudSource.shown(words.joined(separator: " ").utf8)); expected property TYPE NAME, or property list "
                    + "TYPE TYPE NAME")
        }
        let name = words[words.count - 1]
        guard !elements[last].properties.contains(where: { $0.name == name }) else {
            throw source.error(line: line, "duplicate property \(CloudSource.shown(name.utf8))")
        }
        var property = PLYHeader.Property(name: name, kind: try kind(words[words.count - 2]))
        if isList {
            let countKind = try kind(words[2])
            guard countKind != .float32, countKind != .float64 else {
                throw source.error(line: line, "a list with the count type \(words[2]); expected an integer type")
            }
            property.countKind = countKind
        }
        elements[last].properties.append(property)
    }

    private func kind(_ word: String) throws(PointCloudError) -> ScalarKind {
        switch word {
        case "char", "int8": .int8
        case "uchar", "uint8": .uint8
        case "short", "int16": .int16
        case "ushort", "uint16": .uint16
        case "int", "int32": .int32
        case "uint", "uint32": .uint32
        case "float", "float32": .float32
        case "double", "float64": .float64
        default:
            throw source.error(
                line: line,
                "type \(CloudSource.shown(word.utf8)); expected char, uchar, short, ushort, int, uint, float or double")
        }
    }
}
