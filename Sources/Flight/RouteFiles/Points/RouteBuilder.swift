internal import Geodesy
internal import Trajectories
internal import UAVLink

/// What a reader of any format puts its points into.
struct RouteBuilder {
    /// So many different remarks are kept.
    static let maximumNotes = 50

    let source: String
    var route = Route()
    private(set) var notes: [String] = []

    init(source: String) { self.source = source }

    /// Whether one more point may come.
    var hasRoom: Bool { route.points.count < Route.maximumPoints }

    /// Adds a point unless there are too many.
    mutating func append(_ point: RoutePoint, line: Int) throws(RouteFileError) {
        guard hasRoom else {
            throw RouteFileError(source, line: line, "found another point, expected at most \(Route.maximumPoints)")
        }
        route.points.append(point)
    }

    /// Says aloud what was left out or taken in some way; the same thing once only.
    mutating func note(_ text: String) {
        let line = text.harmlessLine
        if notes.count < Self.maximumNotes, !notes.contains(line) { notes.append(line) }
    }

    func finished() -> ReadRoute { ReadRoute(route: route, notes: notes) }
}

/// A place on the globe from two numbers of a file, or what is wrong with them.
enum GlobePlace {
    static func make(longitude: Double, latitude: Double) -> Result<GeographicCoordinate, RouteFileError> {
        let place = GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
        do throws(GeodesyError) {
            try place.validate()
            return .success(place)
        } catch { return .failure(RouteFileError("found \(error.what), expected a place on earth")) }
    }
}
