internal import UAVLink

/// Parses the header of a PCD file, versions 0.5 to 0.7, with keywords in any case.
struct PCDHeaderReader {
    private typealias Words = [ArraySlice<UInt8>]

    private let source: CloudSource
    /// The words after each keyword, and its line number.
    private var entries: [String: (words: Words, line: Int)] = [:]

    private static let keywords: Set<String> = [
        "VERSION", "FIELDS", "COLUMNS", "SIZE", "TYPE", "COUNT", "WIDTH", "HEIGHT", "VIEWPOINT", "POINTS", "DATA",
    ]

    /// Parses the header at the start of the bytes.
    static func read(_ bytes: UnsafeRawBufferPointer, source: CloudSource) throws(PointCloudError) -> PCDHeader {
        var reader = Self(source: source)
        return try reader.read(bytes)
    }

    private init(source: CloudSource) { self.source = source }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(PointCloudError) -> PCDHeader {
        var lines = HeaderLines(bytes)
        while let text = lines.next() {
            let line = lines.line
            var words = HeaderLines.words(text)
            guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
            words.removeFirst()
            let keyword = String(decoding: first, as: UTF8.self).uppercased()
            guard Self.keywords.contains(keyword) else {
                throw source.error(line: line, "expected a PCD header keyword, found \(CloudSource.shown(text))")
            }
            let name = keyword == "COLUMNS" ? "FIELDS" : keyword
            guard entries[name] == nil else { throw source.error(line: line, "duplicate \(keyword)") }
            guard !words.isEmpty else { throw source.error(line: line, "\(keyword) has no value") }
            entries[name] = (words, line)
            if name == "DATA" { return try header(bodyStart: lines.nextOffset, bodyLine: line + 1) }
        }
        throw source.error(
            .truncated,
            bytes.count > lines.byteCount
                ? "no DATA line in the first \(lines.byteCount) bytes" : "ends before the DATA line of the PCD header")
    }

    private func header(bodyStart: Int, bodyLine: Int) throws(PointCloudError) -> PCDHeader {
        try checkVersion()
        return PCDHeader(
            fields: try fields(), points: try points(), viewpoint: try viewpoint(), encoding: try encoding(),
            bodyStart: bodyStart, bodyLine: bodyLine)
    }

    private func checkVersion() throws(PointCloudError) {
        guard let (words, line) = entries["VERSION"] else { return }
        let known = [".5", "0.5", ".6", "0.6", ".7", "0.7"]
        guard words.count == 1, known.contains(String(decoding: words[0], as: UTF8.self)) else {
            throw source.error(
                .unsupported, line: line,
                "VERSION is \(CloudSource.shown(words.joined(separator: [0x20]))); supported are 0.5 to 0.7")
        }
    }

    private func encoding() throws(PointCloudError) -> PCDHeader.Encoding {
        guard let (words, line) = entries["DATA"], let word = words.first,
            let encoding = PCDHeader.Encoding(rawValue: String(decoding: word, as: UTF8.self).lowercased())
        else {
            let entry = entries["DATA"]
            throw source.error(
                .unsupported, line: entry?.line ?? 0,
                "DATA is \(CloudSource.shown(entry?.words.first ?? [])); expected ascii, binary or binary_compressed")
        }
        guard words.count == 1 else { throw source.error(line: line, "DATA has more than one word") }
        return encoding
    }

    private func fields() throws(PointCloudError) -> [PCDHeader.Field] {
        guard let (names, line) = entries["FIELDS"] else { throw source.error("the header has no FIELDS") }
        guard names.count <= CloudLimits.fields else {
            throw source.error(.tooLarge, line: line, "\(names.count) FIELDS; the limit is \(CloudLimits.fields)")
        }
        let sizes = try column("SIZE", names.count, or: 4)
        let counts = try column("COUNT", names.count, or: 1)
        let types = entries["TYPE"]
        if let types, types.words.count != names.count {
            throw source.error(line: types.line, "TYPE has \(types.words.count) entries; FIELDS has \(names.count)")
        }
        var fields: [PCDHeader.Field] = []
        for (index, name) in names.enumerated() {
            let name = String(decoding: name, as: UTF8.self)
            let type = types.map { String(decoding: $0.words[index], as: UTF8.self).uppercased() } ?? "F"
            guard let kind = Self.kind(type, sizes[index]) else {
                throw source.error(
                    line: types?.line ?? entries["SIZE"]?.line ?? line,
                    "field \(CloudSource.shown(name.utf8)) has TYPE \(CloudSource.shown(type.utf8)) and SIZE \(sizes[index]); "
                        + "expected I or U of 1, 2, 4 or 8 bytes, or F of 4 or 8")
            }
            guard (1...1 << 20).contains(counts[index]) else {
                throw source.error(
                    line: entries["COUNT"]?.line ?? line,
                    "COUNT of field \(CloudSource.shown(name.utf8)) is \(counts[index]); expected 1 to \(1 << 20)")
            }
            fields.append(.init(name: name, kind: kind, count: counts[index]))
        }
        return fields
    }

    /// The values of a keyword with one integer per field.
    private func column(_ keyword: String, _ count: Int, or usual: Int) throws(PointCloudError) -> [Int] {
        guard let (words, line) = entries[keyword] else { return Array(repeating: usual, count: count) }
        guard words.count == count else {
            throw source.error(line: line, "\(keyword) has \(words.count) entries; FIELDS has \(count)")
        }
        var numbers: [Int] = []
        for word in words { numbers.append(try whole(word, keyword, line)) }
        return numbers
    }

    private static func kind(_ type: String, _ size: Int) -> ScalarKind? {
        switch (type, size) {
        case ("I", 1): .int8
        case ("I", 2): .int16
        case ("I", 4): .int32
        case ("I", 8): .int64
        case ("U", 1): .uint8
        case ("U", 2): .uint16
        case ("U", 4): .uint32
        case ("U", 8): .uint64
        case ("F", 4): .float32
        case ("F", 8): .float64
        default: nil
        }
    }

    private func points() throws(PointCloudError) -> Int {
        let width = try single("WIDTH")
        let height = try single("HEIGHT") ?? 1
        let points = try single("POINTS")
        guard let width else {
            guard let points else { throw source.error("the header has neither WIDTH nor POINTS") }
            return points
        }
        let line = entries["WIDTH"]?.line ?? 0
        let (product, isTooLarge) = width.multipliedReportingOverflow(by: height)
        guard !isTooLarge else {
            throw source.error(.tooLarge, line: line, "WIDTH \(width) times HEIGHT \(height) is too large")
        }
        if let points, points != product {
            throw source.error(
                line: entries["POINTS"]?.line ?? line,
                "POINTS is \(points); WIDTH \(width) times HEIGHT \(height) is \(product)")
        }
        return product
    }

    private func single(_ keyword: String) throws(PointCloudError) -> Int? {
        guard let (words, line) = entries[keyword] else { return nil }
        guard words.count == 1 else {
            throw source.error(line: line, "\(keyword) has \(words.count) entries; expected 1")
        }
        return try whole(words[0], keyword, line)
    }

    private func whole(_ word: ArraySlice<UInt8>, _ keyword: String, _ line: Int) throws(PointCloudError) -> Int {
        guard let number = NumberText.integer(word), number >= 0 else {
            throw source.error(line: line, "\(keyword) has \(CloudSource.shown(word)); expected a non-negative integer")
        }
        return number
    }

    /// The sensor's position; its orientation is ignored, since the points do not depend on it.
    private func viewpoint() throws(PointCloudError) -> Vector3? {
        guard let (words, line) = entries["VIEWPOINT"] else { return nil }
        guard words.count == 7 else {
            throw source.error(line: line, "VIEWPOINT has \(words.count) numbers; expected 7")
        }
        var numbers: [Double] = []
        for word in words {
            let number = Array(word).withUnsafeBytes { NumberText.number($0, 0, $0.count) }
            guard let number, abs(number) <= CloudLimits.largestCoordinateMetres else {
                throw source.error(line: line, "VIEWPOINT has \(CloudSource.shown(word)); expected a number")
            }
            numbers.append(number)
        }
        return Vector3(x: numbers[0], y: numbers[1], z: numbers[2])
    }
}
