internal import UAVLink

/// Reads text with one point per line: x, y and z; further columns are ignored.
///
/// Blanks, commas and semicolons separate values; `#` and `//` begin a comment line. The first line may be a header of
/// column names, or the number of points, as some scanners write it.
enum XYZReader {
    static func read(
        _ bytes: UnsafeRawBufferPointer, source: CloudSource, limits: CloudLimits, progress: CloudProgress
    ) throws(PointCloudError) -> CloudReading {
        var rows = TextRows(bytes, from: 0, line: 1, takesPunctuation: true, source: source)
        // Three numbers and their separators take at least six bytes, usually twenty.
        let likely = bytes.count / 20 + 1
        var points = PointCollector(expected: likely, possible: likely, progress: progress)
        var promised: (points: Int, line: Int)?
        var (count, isFirst) = (0, true)
        while try rows.advance() {
            if isComment(rows.rest) { continue }
            defer { isFirst = false }
            if isFirst {
                if let total = soleInteger(rows.rest) {
                    promised = (total, rows.line)
                    continue
                }
                if isHeading(rows) { continue }
            }
            let (x, y, z) = (try rows.number(), try rows.number(), try rows.number())
            count += 1
            guard count <= limits.points else {
                throw source.error(.tooLarge, line: rows.line, "more than the limit of \(limits.points) points")
            }
            try points.add(x, y, z)
        }
        if let promised, promised.points != count {
            throw source.error(
                count < promised.points ? .truncated : .format, line: promised.line,
                "declares \(promised.points) points; the file has \(count)")
        }
        guard count > 0 || promised != nil else { throw source.error("has no points") }
        return CloudReading(format: .xyz, droppedPoints: points.dropped, cloud: points.cloud())
    }

    private static func isComment(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        line.first == UInt8(ascii: "#") || line.starts(with: [0x2F, 0x2F])
    }

    private static func soleInteger(_ line: Slice<UnsafeRawBufferPointer>) -> Int? {
        let words = line.split(maxSplits: 1) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        guard words.count == 1, let number = NumberText.integer(words[0]), number >= 0 else { return nil }
        return number
    }

    /// Whether the line is a header with the columns x, y and z in this order ("X,Y,Z", "x_m y_m z_m").
    private static func isHeading(_ rows: TextRows) -> Bool {
        var copy = rows
        return ["x", "y", "z"].allSatisfy { name in
            String(decoding: rows.bytes[copy.word()], as: UTF8.self).lowercased().first { $0.isLetter }.map(String.init)
                == name
        }
    }
}
