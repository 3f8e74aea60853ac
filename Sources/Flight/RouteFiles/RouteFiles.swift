public import Trajectories
internal import UAVLink

/// A route that was read, and what had to be said about it.
public struct ReadRoute: Hashable, Sendable {
    /// The route.
    public var route: Route
    /// What was left out or taken in some way: lines for people to read, free of control characters.
    public var notes: [String]
}

/// A file that was written, and what it could not hold.
public struct WrittenRoute: Hashable, Sendable {
    /// The file.
    public var bytes: [UInt8]
    /// What the format has no place for: lines for people to read.
    public var notes: [String]
}

/// Reads and writes files of points. Bytes in, values out: nothing here opens a file.
public enum RouteFiles {
    /// The route in a file.
    ///
    /// - Parameters:
    ///   - name: the file's name, for its format where the content does not say it, and for errors.
    ///   - format: the format where a person said it; `nil` finds out.
    /// - Throws: ``RouteFileError`` that names the file, the line or field, what was found and what was expected.
    public static func read(
        _ bytes: [UInt8], name: String, format: RouteFormat? = nil
    ) throws(RouteFileError) -> ReadRoute {
        guard let format = format ?? RouteFormat.of(bytes, name: name) else {
            let known = RouteFormat.allCases.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw RouteFileError(
                "\(name.harmlessLine): what kind of file this is shows neither in it nor in its name; known are \(known)"
            )
        }
        let read =
            switch format {
            case .geoJSON: try GeoJSONReader.read(bytes, source: name)
            case .kml: try KMLReader.read(bytes, source: name)
            case .kmz: try KMLReader.read(try KMZArchive.document(bytes, source: name), source: name)
            case .gpx: try GPXReader.read(bytes, source: name)
            case .csv: try TableReader.read(bytes, source: name)
            case .plan: try PlanReader.read(bytes, source: name)
            case .mrs: try TableReader.read(bytes, source: name)
            }
        guard !read.route.points.isEmpty else {
            throw RouteFileError("\(name.harmlessLine): there is no point in it")
        }
        return read
    }

    /// A file of a route.
    ///
    /// - Throws: ``RouteFileError`` that names the point which the format cannot hold, and why.
    public static func write(_ route: Route, as format: RouteFormat) throws(RouteFileError) -> WrittenRoute {
        switch format {
        case .geoJSON: return try GeoJSONWriter.write(route)
        case .kml: return try KMLWriter.write(route)
        case .kmz:
            var written = try KMLWriter.write(route)
            written.bytes = try KMZArchive.archive(document: written.bytes)
            return written
        case .gpx: return try GPXWriter.write(route)
        case .csv: return try TableWriter.write(route)
        case .plan: return try PlanWriter.write(route)
        case .mrs: return try SampleLines.write(route)
        }
    }
}
