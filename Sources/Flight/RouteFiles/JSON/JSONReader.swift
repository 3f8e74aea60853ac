internal import JSON
internal import UAVLink

/// Reads a file of JSON; its errors name the line and column.
enum JSONReader {
    /// 64 MiB: a route of 100 000 points, with the properties of each.
    static let maximumBytes = 64 << 20
    /// Nesting depth; a MultiPolygon in GeoJSON needs nine.
    static let maximumDepth = 64
    /// The lists of a plan's parameters and of positions have up to seven elements, however few points are accepted.
    static let leastList = 16
    /// Total number of values: a line of a million points with three numbers has four million.
    static let maximumValues = 5_000_000

    /// - Parameter longestList: the most elements of one list; reading stops at the first one beyond it.
    static func read(
        _ bytes: [UInt8], source: String, longestList: Int = maximumValues
    ) throws(RouteFileError) -> JSONDocument {
        guard bytes.count <= maximumBytes else {
            throw RouteFileError(
                "\(source.sanitizedLine): \(bytes.count) bytes of JSON, at most \(maximumBytes) are read")
        }
        let limits = JSONLimits(
            bytes: maximumBytes, depth: maximumDepth, values: maximumValues, longestList: max(longestList, leastList))
        do throws(JSONSyntaxError) {
            let root = try JSONParser.parse(bytes, limits: limits, called: "the file")
            return JSONDocument(source: source, bytes: bytes, root: root)
        } catch {
            throw Self.error(source, bytes, at: error.offset, error.what.sanitizedLine)
        }
    }

    static func error(_ source: String, _ bytes: [UInt8], at offset: Int, _ what: String) -> RouteFileError {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return RouteFileError("\(source.sanitizedLine), line \(line), column \(column): \(what)")
    }
}
