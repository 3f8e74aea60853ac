/// Reads PTX, the text of Leica's and other scanners: one scan after another.
///
/// A scan has the columns and the rows of its grid, the scanner's position and its three axes, a transformation of four
/// lines, of which the last one is the translation, and then a line `x y z intensity` for each direction, in the scanner's
/// axes. A direction in which nothing was measured is `0 0 0`; it counts as dropped.
struct PTXReader {
    private let limits: CloudLimits
    private let source: CloudSource
    private var rows: TextRows
    private var points: PointCollector
    private var count = 0

    /// Whether a file begins as a scan: two lines with a whole number each, then a position.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var lines = HeaderLines(bytes)
        for expected in [1, 1, 3] {
            guard let line = lines.next() else { return false }
            let words = HeaderLines.words(line)
            guard words.count == expected, expected > 1 || NumberText.integer(words[0]) != nil else { return false }
        }
        return true
    }

    static func read(
        _ bytes: UnsafeRawBufferPointer, source: CloudSource, limits: CloudLimits, progress: CloudProgress
    ) throws(PointCloudError) -> CloudReading {
        var reader = Self(bytes, source, limits, progress)
        while try reader.rows.advance() { try reader.scan() }
        guard reader.count > 0 else { throw source.error("has no points") }
        return CloudReading(format: .ptx, droppedPoints: reader.points.dropped, cloud: reader.points.cloud())
    }

    private init(
        _ bytes: UnsafeRawBufferPointer, _ source: CloudSource, _ limits: CloudLimits, _ progress: CloudProgress
    ) {
        (self.source, self.limits) = (source, limits)
        rows = TextRows(bytes, from: 0, line: 1, source: source)
        // Empty directions take ten bytes, others about thirty.
        let likely = bytes.count / 20 + 1
        points = PointCollector(expected: likely, possible: likely, progress: progress)
    }

    /// A scan, from its first line on.
    private mutating func scan() throws(PointCloudError) {
        let columns = try size()
        try advance()
        let (total, isTooLarge) = columns.multipliedReportingOverflow(by: try size())
        guard !isTooLarge, total <= limits.points - count else {
            throw source.error(.tooLarge, line: rows.line, "more than the limit of \(limits.points) points")
        }
        // The position and the axes, which the transformation has too.
        for _ in 0..<4 { try advance() }
        var matrix: [Double] = []
        for _ in 0..<4 {
            try advance()
            for _ in 0..<4 { matrix.append(try rows.number()) }
        }
        for _ in 0..<total {
            try advance()
            let (x, y, z) = (try rows.number(), try rows.number(), try rows.number())
            guard x != 0 || y != 0 || z != 0 else {
                try points.add(.nan, .nan, .nan)
                continue
            }
            try points.add(
                x * matrix[0] + y * matrix[4] + z * matrix[8] + matrix[12],
                x * matrix[1] + y * matrix[5] + z * matrix[9] + matrix[13],
                x * matrix[2] + y * matrix[6] + z * matrix[10] + matrix[14])
        }
        count += total
    }

    private mutating func advance() throws(PointCloudError) {
        guard try rows.advance() else { throw source.error(.truncated, "ends within a scan of a PTX file") }
    }

    /// A number of columns or rows.
    private mutating func size() throws(PointCloudError) -> Int {
        let word = rows.word()
        guard rows.isAtLineEnd, let number = NumberText.integer(rows.bytes[word]), number >= 0 else {
            throw source.error(line: rows.line, "expected a size of a scan of a PTX file")
        }
        return number
    }
}
