internal import Geodesy
internal import Trajectories

/// Reads GPX 1.0 and 1.1: the points of its routes; without routes those of its tracks; without tracks its waypoints. `ele`
/// is above mean sea level.
final class GPXReader: FileElementHandler {
    private var routes: RouteBuilder
    private var tracks: RouteBuilder
    private var waypoints: RouteBuilder
    private var name = ""
    /// How many routes, tracks and segments of tracks have points.
    private var parts: [String: Int] = [:]
    private var hasPoint: Set<String> = []
    /// The longest way between the end of a segment of a track and the beginning of the next one, metres.
    private var widestGapMetres = 0.0
    private var path: [String] = []
    private var point: RoutePoint?
    private var extras: [(key: String, text: String)] = []
    /// Elements of other programs in a point.
    private var properties: [(name: String, text: String)] = []
    /// The first element that points do not hold.
    private var otherElement: String?

    static func read(_ bytes: [UInt8], source: String, limit: Int) throws(RouteFileError) -> ReadRoute {
        let reader = GPXReader(source: source, limit: limit)
        try XMLFile.read(bytes, source: source, handler: reader)
        return reader.finished()
    }

    private init(source: String, limit: Int) {
        routes = RouteBuilder(source: source, limit: limit)
        tracks = RouteBuilder(source: source, limit: limit)
        waypoints = RouteBuilder(source: source, limit: limit)
    }

    private func finished() -> ReadRoute {
        let all = [("routes", routes), ("tracks", tracks), ("waypoints", waypoints)].filter {
            !$0.1.route.points.isEmpty
        }
        var chosen = all.first?.1 ?? waypoints
        for (what, other) in all.dropFirst() {
            let count = other.route.points.count
            let text = "\(count) \(count == 1 ? "point" : "points") of \(what) \(count == 1 ? "is" : "are") left out"
            // Waypoints beside a route or track are marks on a map.
            if what == "waypoints" { chosen.note(text) } else { chosen.omit(text) }
        }
        let kind = all.first?.0 == "routes" ? "rte" : all.first?.0 == "tracks" ? "trk" : ""
        if let count = parts[kind], count > 1 {
            chosen.omit(
                "\(count) \(kind == "rte" ? "routes" : "tracks") are joined: the legs between them are not in the file")
        } else if kind == "trk", let count = parts["trkseg"], count > 1 {
            if widestGapMetres > Self.joinedGapMetres {
                let gap = PlainNumber.text(widestGapMetres.rounded())
                chosen.omit(
                    "\(count) segments of a track are joined: the legs between them, up to \(gap) m, are not in the file"
                )
            } else {
                chosen.note("\(count) segments of a track are joined")
            }
        }
        chosen.route.name = name
        if let name = otherElement { chosen.addExtra("elements such as \(RouteFileError.shown(name))") }
        return chosen.finished()
    }

    private static let points: Set<String> = ["rtept", "trkpt", "wpt"]
    /// The elements that points hold.
    private static let held = points.union(PointAnnotations.keys).union([
        "gpx", "rte", "trk", "trkseg", "name", "ele", "extensions",
    ])
    /// A receiver that lost its fix begins a new segment: up to this gap it continues the one before.
    private static let joinedGapMetres = 10.0

    /// Metres between two places, to a percent where they are near each other.
    private static func distance(_ one: RoutePoint.Place, _ other: RoutePoint.Place) -> Double {
        guard case .geographic(let one) = one, case .geographic(let other) = other else { return 0 }
        return one.roughMetres(to: other)
    }

    func start(_ element: FileElement) throws(RouteFileError) {
        if path.isEmpty {
            guard element.name == "gpx" else {
                throw RouteFileError(
                    routes.source, line: element.line,
                    "found the element \(RouteFileError.shown(element.name)), expected gpx")
            }
            if let version = element.attribute("version"), !["1.0", "1.1"].contains(version) {
                throw RouteFileError(
                    routes.source, line: element.line,
                    "version: found \(RouteFileError.shown(version)), expected 1.0 or 1.1")
            }
        }
        path.append(element.name)
        if otherElement == nil, !Self.held.contains(element.name) { otherElement = element.name }
        guard Self.points.contains(element.name) else { return }
        let latitude = try coordinate("lat", of: element)
        let longitude = try coordinate("lon", of: element)
        do throws(RouteFileError) {
            point = RoutePoint(
                place: .geographic(try GeographicPlace.make(longitude: longitude, latitude: latitude).get()))
        } catch { throw error.at(routes.source, line: element.line) }
        (extras, properties) = ([], [])
    }

    private func coordinate(_ name: String, of element: FileElement) throws(RouteFileError) -> Double {
        let text = element.attribute(name)
        guard let text, let value = PlainNumber.double(XMLText.trimmed(text)) else {
            let found = text.map { RouteFileError.shown($0) } ?? "nothing"
            throw RouteFileError(
                routes.source, line: element.line, "\(element.name) \(name): found \(found), expected degrees")
        }
        return value
    }

    func end(_ name: String, text: String, line: Int) throws(RouteFileError) {
        _ = path.popLast()
        let parent = path.last ?? ""
        switch name {
        case "name":
            if Self.points.contains(parent) { point?.name = XMLText.trimmed(text) }
            if ["rte", "trk", "metadata", "gpx"].contains(parent), self.name.isEmpty {
                self.name = XMLText.trimmed(text)
            }
        case "ele":
            guard Self.points.contains(parent) else { break }
            // An altitude that is not known.
            if XMLText.trimmed(text).isEmpty { break }
            guard let metres = PlainNumber.double(XMLText.trimmed(text)) else {
                throw RouteFileError(
                    routes.source, line: line,
                    "ele: found \(RouteFileError.shown(text)), expected metres above sea level")
            }
            point?.altitude = .init(metres: metres, reference: .meanSeaLevel)
        case let key where point != nil && PointAnnotations.keys.contains(key):
            extras.append((key, XMLText.trimmed(text)))
        case let kind where Self.points.contains(kind): try finishPoint(kind, line: line)
        case "rte", "trk", "trkseg":
            if hasPoint.remove(name) != nil { parts[name, default: 0] += 1 }
        case let name where !Self.held.contains(name) || PointAnnotations.keys.contains(name): foreign(name, text)
        default: break
        }
    }

    /// An element that may be of another program, in a point or around points.
    private func foreign(_ name: String, _ text: String) {
        // What a track had is no demand: the highest speed, the highest place.
        if path.contains(where: { $0.hasSuffix("StatsExtension") }) { return }
        if case .none = waypoints.meaning(of: name) { return }
        guard point == nil else { return properties.append((name, text)) }
        let source = Self.source(name)
        if path.contains("rte") {
            routes.leaveOut(property: name, text, source: source)
        } else if path.contains("trk") {
            tracks.leaveOut(property: name, text, source: source)
        } else {
            // Of the whole file.
            routes.leaveOut(property: name, text, source: source)
            tracks.leaveOut(property: name, text, source: source)
            waypoints.leaveOut(property: name, text, source: source)
        }
    }

    private static func source(_ name: String) -> String { "element \(RouteFileError.shown(name))" }

    /// Applies what a point's elements of other programs say.
    private static func apply(
        _ properties: [(name: String, text: String)], beside extras: [(key: String, text: String)],
        to point: inout RoutePoint, _ builder: inout RouteBuilder
    ) {
        builder.noteHeadings(extras)
        for (name, text) in properties {
            builder.take(property: name, text, source: source(name), to: &point)
        }
    }

    private func finishPoint(_ kind: String, line: Int) throws(RouteFileError) {
        guard var done = point else { return }
        point = nil
        do throws(RouteFileError) { try PointAnnotations.apply(extras, to: &done) } catch {
            throw error.at(routes.source, line: line)
        }
        switch kind {
        case "rtept":
            Self.apply(properties, beside: extras, to: &done, &routes)
            try routes.append(done, line: line)
            hasPoint.insert("rte")
        case "trkpt":
            if !hasPoint.contains("trkseg"), hasPoint.contains("trk"), let last = tracks.route.points.last {
                widestGapMetres = max(widestGapMetres, Self.distance(last.place, done.place))
            }
            Self.apply(properties, beside: extras, to: &done, &tracks)
            try tracks.append(done, line: line)
            hasPoint.formUnion(["trk", "trkseg"])
        default:
            Self.apply(properties, beside: extras, to: &done, &waypoints)
            try waypoints.append(done, line: line)
        }
    }
}
