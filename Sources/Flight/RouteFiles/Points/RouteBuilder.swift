internal import Geodesy
internal import Trajectories
internal import UAVLink

/// Collects the points of a route and the warnings of its reader.
struct RouteBuilder {
    /// Largest number of different warnings kept.
    static let maximumNotes = 50

    let source: String
    /// Largest number of points accepted; a reader stops at the first one beyond it.
    let limit: Int
    var route = Route()
    /// What the file draws, where it draws lines and areas.
    var drawn = DrawnParts()
    private(set) var notes: [String] = []
    /// Those notes that concern the path; see ``ReadRoute/omissions``.
    private(set) var omissions: [String] = []

    /// See ``ReadRoute/fence``.
    var fence = Geofence()
    /// See ``ReadRoute/plannedHomeAltitudeMetres``.
    var plannedHomeAltitudeMetres: Double?

    init(source: String, limit: Int) { (self.source, self.limit) = (source, limit) }

    /// How many more points are accepted.
    var remaining: Int { limit - route.points.count }
    /// Whether another point is accepted.
    var hasCapacity: Bool { remaining > 0 }

    /// Adds a point unless there are too many.
    mutating func append(_ point: RoutePoint, line: Int) throws(RouteFileError) {
        guard hasCapacity else {
            throw RouteFileError(source, line: line, "found another point, expected at most \(limit)")
        }
        route.points.append(point)
    }

    /// Adds a warning about what was left out or assumed; each text once.
    mutating func note(_ text: String) {
        let line = text.sanitizedLine
        if notes.count < Self.maximumNotes, !notes.contains(line) { notes.append(line) }
    }

    /// Adds the warning that something is left out which the vehicle would have flown; each text once.
    mutating func omit(_ text: String) {
        note(text)
        let line = text.sanitizedLine
        if omissions.count < Self.maximumNotes, !omissions.contains(line) { omissions.append(line) }
    }

    func finished() -> ReadRoute {
        var done = self
        for difference in drawn.differences { done.omit(difference) }
        return ReadRoute(
            route: route, notes: done.notes, omissions: done.omissions, fence: fence,
            plannedHomeAltitudeMetres: plannedHomeAltitudeMetres)
    }
}

/// Creates a geographic place from two numbers of a file.
enum GeographicPlace {
    static func make(longitude: Double, latitude: Double) -> Result<GeographicCoordinate, RouteFileError> {
        let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        do throws(GeodesyError) {
            try place.validate()
            return .success(place)
        } catch { return .failure(RouteFileError("found \(error.what), expected a valid latitude and longitude")) }
    }
}
