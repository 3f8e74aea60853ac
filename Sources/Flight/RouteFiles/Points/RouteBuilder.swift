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
    /// See ``ReadRoute/extras``.
    private(set) var extras: [String] = []

    /// See ``ReadRoute/speeds``.
    private(set) var speeds: [FileSpeed] = []

    /// What properties say of the flight, by their names: each of many points has the same ones.
    private var meanings: [String: PropertyMeaning] = [:]

    /// See ``ReadRoute/fence``.
    var fence = Geofence()
    /// See ``ReadRoute/plannedHome``.
    var plannedHome: PlannedHome?

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
    ///
    /// - Parameter isLoss: whether it is about something that the file has and the route does not.
    mutating func note(_ text: String, isLoss: Bool = true) {
        let line = text.sanitizedLine
        if notes.count < Self.maximumNotes, !notes.contains(line) { notes.append(line) }
        if isLoss { addExtra(RouteExtras.kind(ofNote: text)) }
    }

    /// Adds what the file has and points do not hold, without a warning; each text once.
    mutating func addExtra(_ kind: String) {
        let line = kind.sanitizedLine
        if extras.count < Self.maximumNotes, !extras.contains(line) { extras.append(line) }
    }

    /// Adds the warning that something is left out which the vehicle would have flown; each text once.
    mutating func omit(_ text: String) {
        note(text)
        let line = text.sanitizedLine
        if omissions.count < Self.maximumNotes, !omissions.contains(line) { omissions.append(line) }
    }

    /// Adds a speed that the file demands; the lowest one of each kind counts.
    mutating func demand(_ speed: FileSpeed) {
        guard let index = speeds.firstIndex(where: { $0.source == speed.source }) else { return speeds.append(speed) }
        if speed.metresPerSecond < speeds[index].metresPerSecond { speeds[index] = speed }
    }

    /// What a property says of the flight.
    mutating func meaning(of name: String) -> PropertyMeaning {
        if let known = meanings[name] { return known }
        let meaning = PropertyMeaning(name: name)
        meanings[name] = meaning
        return meaning
    }

    func finished() -> ReadRoute {
        var done = self
        for difference in drawn.differences { done.omit(difference) }
        if !fence.areas.isEmpty { done.addExtra("the geofence") }
        for kind in RouteExtras.kinds(in: route) { done.addExtra(kind) }
        return ReadRoute(
            route: route, notes: done.notes, omissions: done.omissions, extras: done.extras, fence: fence,
            speeds: speeds, plannedHome: plannedHome)
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
