internal import UAVLink

/// Reads text with one point per line: x, y and z; further columns are ignored.
///
/// Blanks, commas and semicolons separate values; `#` and `//` begin a comment line. The first line may be a header of
/// column names (see ``XYZHeading``), or the number of points, as some scanners write it. Decimal commas: see ``XYZDecimals``.
struct XYZReader {
    private let limits: CloudLimits
    private let source: CloudSource
    private var rows: TextRows
    private var points: PointCollector
    private var decimals: XYZDecimals
    private var heading: XYZHeading?
    private var lookahead = XYZLookahead()
    private var count = 0

    static func read(
        _ bytes: UnsafeRawBufferPointer, source: CloudSource, limits: CloudLimits, progress: CloudProgress
    ) throws(PointCloudError) -> CloudReading {
        var reader = Self(bytes, source, limits, progress)
        let promised = try reader.readRows()
        if let promised, promised.points != reader.count {
            throw source.error(
                reader.count < promised.points ? .truncated : .format, line: promised.line,
                "declares \(promised.points) points; the file has \(reader.count)")
        }
        try reader.decimals.check()
        guard reader.count > 0 || promised != nil else { throw source.error("has no points") }
        return CloudReading(
            format: .xyz, droppedPoints: reader.points.dropped, cloud: reader.points.cloud(),
            notes: reader.decimals.note.map { [$0] } ?? [])
    }

    private init(
        _ bytes: UnsafeRawBufferPointer, _ source: CloudSource, _ limits: CloudLimits, _ progress: CloudProgress
    ) {
        (self.source, self.limits) = (source, limits)
        rows = TextRows(bytes, from: 0, line: 1, takesPunctuation: true, source: source)
        // Three numbers and their separators take at least six bytes, usually twenty.
        let likely = bytes.count / 20 + 1
        points = PointCollector(expected: likely, possible: likely, progress: progress)
        decimals = XYZDecimals(source: source)
    }

    /// Reads all rows; returns the number of points that the first line declares, if it does.
    private mutating func readRows() throws(PointCloudError) -> (points: Int, line: Int)? {
        var promised: (points: Int, line: Int)?
        var isFirst = true
        while try rows.advance() {
            if isComment(rows.rest) { continue }
            if isFirst {
                isFirst = false
                if let total = soleInteger(rows.rest) {
                    promised = (total, rows.line)
                    continue
                }
                heading = try XYZHeading(rows.bytes, rows.restRange, source: source, number: rows.line)
                if heading != nil { continue }
            }
            try row()
        }
        return promised
    }

    private mutating func row() throws(PointCloudError) {
        let range = rows.restRange
        var (commas, quotes) = (0, 0)
        if !lookahead.isPlain(rows.bytes, range) {
            for index in range {
                if rows.bytes[index] == 0x2C { commas += 1 }
                if rows.bytes[index] == 0x22 { quotes += 1 }
            }
        }
        var x: Double
        var y: Double
        var z: Double
        if quotes > 0 || heading?.isLeading == false {
            (x, y, z) = try cells()
        } else if commas > 0, try decimals.isDecimal(rows, commas: commas, columns: heading?.columns) {
            (x, y, z) = (try decimalNumber(), try decimalNumber(), try decimalNumber())
        } else {
            (x, y, z) = (try rows.number(), try rows.number(), try rows.number())
            let bytes = rows.bytes
            try decimals.expectPoint(
                line: rows.line, isNumber: x.isFinite || y.isFinite || z.isFinite,
                isWhole: XYZDecimals.areWhole(bytes, range))
        }
        count += 1
        guard count <= limits.points else {
            throw source.error(.tooLarge, line: rows.line, "more than the limit of \(limits.points) points")
        }
        try points.add(x, y, z)
    }

    /// The point of a line whose cells are quoted or named.
    private mutating func cells() throws(PointCloudError) -> (Double, Double, Double) {
        let row = XYZCells(rows.bytes, rows.restRange, separator: heading?.separator)
        let columns = heading?.columns ?? max(3, row.cells.count)
        guard row.cells.count == columns else {
            throw source.error(line: rows.line, "found \(row.cells.count) values; expected \(columns)")
        }
        let places = heading?.places ?? [0, 1, 2]
        let coordinates = places.map { row.cells[$0] }
        let isDecimal = try decimals.isDecimal(coordinates, of: row, rows, hasHeading: heading != nil)
        var numbers: [Double] = []
        for cell in coordinates {
            let number =
                isDecimal
                ? XYZDecimals.number(rows.bytes, cell.range)
                : NumberText.number(rows.bytes, cell.range.lowerBound, cell.range.upperBound)
            guard let number else { throw rows.notNumber(cell.range) }
            numbers.append(number)
        }
        if !isDecimal {
            let bytes = rows.bytes
            try decimals.expectPoint(
                line: rows.line, isNumber: numbers.contains(where: \.isFinite),
                isWhole: row.separator == 0x3B && coordinates.allSatisfy { XYZDecimals.isWholeOrNone(bytes, $0.range) })
        }
        return (numbers[0], numbers[1], numbers[2])
    }

    private mutating func decimalNumber() throws(PointCloudError) -> Double {
        let word = rows.group()
        guard let value = XYZDecimals.number(rows.bytes, word) else { throw rows.notNumber(word) }
        return value
    }

    private func isComment(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        line.first == UInt8(ascii: "#") || line.starts(with: [0x2F, 0x2F])
    }

    private func soleInteger(_ line: Slice<UnsafeRawBufferPointer>) -> Int? {
        let words = line.split(maxSplits: 1) { $0 == 0x20 || $0 == 0x09 }
        guard words.count == 1, let number = NumberText.integer(words[0]), number >= 0 else { return nil }
        return number
    }
}
