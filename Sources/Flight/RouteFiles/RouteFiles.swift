package import Trajectories
internal import UAVLink

/// A route that was read, with the warnings of its reader.
package struct ReadRoute: Hashable, Sendable {
    package var route: Route
    /// What was left out or assumed: lines for display, without control characters.
    package var notes: [String]
    /// Those notes that name something the vehicle would have flown and the route leaves out, or a leg that the file does not
    /// contain.
    package var omissions: [String] = []
    /// What the file has and points do not hold, in a few words each: `the geofence`. It is lost when the points are
    /// written over the file.
    package var extras: [String] = []
    /// Where the file says that its route may be flown.
    package var fence = Geofence()
    /// The speeds that the file demands.
    package var speeds: [FileSpeed] = []
    /// The planned take-off position; `nil` if the file does not have one.
    package var plannedHome: PlannedHome?
    /// Altitude of the planned take-off position above mean sea level, metres; `nil` if the file does not have one.
    package var plannedHomeAltitudeMetres: Double? { plannedHome?.altitudeMetres }

    /// The note about points in metres of no named frame.
    package static let frameNote = "the file names no frame; a line such as '# frame: local_origin' names one"
    /// The same note for whoever does not see which file it is about.
    ///
    /// - Parameter name: the file's name; untrusted text.
    package static func frameNote(of name: String) -> String {
        "\(name.sanitizedLine) names no frame; a line such as '# frame: local_origin' names one"
    }

    /// The note about headings that may be meant as compass headings.
    package static let compassNote = "headings are read counter-clockwise from east, not as compass headings"

    /// The note about headings that are no angles in radians.
    package static let headingNote =
        "headings of more than 7 rad: are they degrees? write '# heading: deg', or '# heading: rad'"
}

/// A file that was written, with warnings.
package struct WrittenRoute: Hashable, Sendable {
    /// The file.
    package var bytes: [UInt8]
    /// What the format cannot hold: lines for display.
    package var notes: [String]
}

/// Reads and writes route files. It works on bytes and opens no file.
package enum RouteFiles {
    /// The route in a file.
    ///
    /// - Parameters:
    ///   - name: the file's name, for errors and for the format when the content does not determine it.
    ///   - format: the format if the user gave one; `nil` detects it.
    ///   - maximumPoints: the limit at which reading stops with an error; the rest of the file is not looked at.
    /// - Throws: ``RouteFileError`` that names the file, the line or field, what was found and what was expected.
    package static func read(
        _ bytes: [UInt8], name: String, format: RouteFormat? = nil, maximumPoints: Int = Route.maximumPoints
    ) throws(RouteFileError) -> ReadRoute {
        let likely = format ?? RouteFormat.of(bytes, name: name)
        if let foreign = ForeignRoute(bytes, likely) {
            throw RouteFileError("\(name.sanitizedLine): \(foreign.advice)")
        }
        guard let format = likely else {
            throw RouteFileError(
                "\(name.sanitizedLine): unknown file format, by content and by name; known are \(RouteFormat.readNames)"
            )
        }
        var read =
            switch format {
            case .geoJSON: try GeoJSONReader.read(bytes, source: name, limit: maximumPoints)
            case .kml: try KMLReader.read(bytes, source: name, limit: maximumPoints)
            case .kmz: try KMLReader.read(archive: bytes, source: name, limit: maximumPoints)
            case .gpx: try GPXReader.read(bytes, source: name, limit: maximumPoints)
            case .csv: try TableReader.read(bytes, source: name, limit: maximumPoints)
            case .plan: try PlanReader.read(bytes, source: name, limit: maximumPoints)
            case .mrs: try TableReader.read(bytes, source: name, limit: maximumPoints)
            }
        guard !read.route.points.isEmpty else {
            throw RouteFileError("\(name.sanitizedLine): the file has no points")
        }
        // XML says it in an error.
        if [.geoJSON, .plan, .csv, .mrs].contains(format), let line = OtherEncoding.line(bytes) {
            read.notes.append("line \(line): \(OtherEncoding.advice); until then names lack letters")
        }
        return read
    }

    /// Writes a route in a format.
    ///
    /// - Parameter home: the take-off position, for formats that have one; a place that is not known is assumed, with a
    ///   note.
    /// - Throws: ``RouteFileError`` that names the point that the format cannot hold, and why.
    package static func write(
        _ route: Route, as format: RouteFormat, home: PlannedHome? = nil
    ) throws(RouteFileError) -> WrittenRoute {
        switch format {
        case .geoJSON: return try GeoJSONWriter.write(route)
        case .kml: return try KMLWriter.write(route)
        case .kmz:
            var written = try KMLWriter.write(route)
            written.bytes = try KMZArchive.archive(document: written.bytes)
            return written
        case .gpx: return try GPXWriter.write(route)
        case .csv: return try TableWriter.write(route)
        case .plan: return try PlanWriter.write(route, home: home)
        case .mrs: return try TrajectoryFile.write(route)
        }
    }
}
