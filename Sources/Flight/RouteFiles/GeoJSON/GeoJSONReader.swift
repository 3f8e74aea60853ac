internal import JSON
internal import Geodesy
internal import Trajectories

/// Reads GeoJSON (RFC 7946): positions are WGS84, longitude first; a third number is the height above the ellipsoid.
///
/// Points, the points of lines and the outer rings of polygons become points of the route in the order of the file; the
/// properties of ``PointAnnotations`` hold what GeoJSON has no field for.
struct GeoJSONReader {
    private let document: JSONDocument
    private var builder: RouteBuilder
    /// The first property that points do not hold.
    private var otherProperty: String?

    static func read(_ bytes: [UInt8], source: String, limit: Int) throws(RouteFileError) -> ReadRoute {
        var reader = GeoJSONReader(
            document: try JSONReader.read(bytes, source: source, longestList: limit), limit: limit)
        if let name = reader.document.find("name", in: reader.document.root), case .string(let text) = name.content {
            reader.builder.route.name = text
        }
        try GeoJSONReference.check(reader.document)
        try reader.feature(reader.document.root)
        if let key = reader.otherProperty {
            reader.builder.addExtra("properties such as \(RouteFileError.shown(key))")
        }
        return reader.builder.finished()
    }

    private init(document: JSONDocument, limit: Int) {
        self.document = document
        builder = RouteBuilder(source: document.source, limit: limit)
    }

    private mutating func feature(_ node: JSONNode) throws(RouteFileError) {
        let type = try document.value("type", in: node, "an object of GeoJSON")
        switch try document.string(type, "a type of GeoJSON") {
        case "FeatureCollection":
            for feature in try document.array(document.value("features", in: node)) { try self.feature(feature) }
        case "Feature":
            guard let geometry = document.find("geometry", in: node), !geometry.isNull else {
                return builder.note("a feature without a geometry is left out")
            }
            try self.geometry(geometry, properties: document.find("properties", in: node))
        default: try geometry(node, properties: nil)
        }
    }

    private mutating func geometry(_ node: JSONNode, properties: JSONNode?) throws(RouteFileError) {
        let type = try document.value("type", in: node, "a geometry")
        let name = try document.string(type, "a type of geometry")
        if name == "GeometryCollection" {
            for part in try document.array(document.value("geometries", in: node)) {
                try geometry(part, properties: properties)
            }
            return
        }
        let coordinates = try document.value("coordinates", in: node)
        switch name {
        case "Point":
            try point(coordinates, properties: properties)
            builder.drawn.add(.points, points: 1)
        case "MultiPoint": try positions(coordinates, .points, properties: properties)
        case "LineString": try positions(coordinates, .line, properties: properties)
        case "MultiLineString":
            for part in try document.array(coordinates) { try positions(part, .line, properties: properties) }
        case "Polygon": try polygon(coordinates, properties: properties)
        case "MultiPolygon":
            for part in try document.array(coordinates) { try polygon(part, properties: properties) }
        default:
            throw document.unexpected(type, "Point, LineString, Polygon, a Multi... of them or GeometryCollection")
        }
    }

    private mutating func polygon(_ node: JSONNode, properties: JSONNode?) throws(RouteFileError) {
        let rings = try document.array(node, "the rings of a polygon")
        if rings.count > 1 { builder.note("the holes of a polygon are left out") }
        if let outer = rings.first { try positions(outer, .polygon, properties: properties) }
    }

    private mutating func positions(
        _ node: JSONNode, _ kind: DrawnParts.Kind, properties: JSONNode?
    ) throws(RouteFileError) {
        let list = try document.array(node, "a list of positions")
        for position in list { try point(position, properties: properties) }
        builder.drawn.add(kind, points: list.count)
    }

    private mutating func point(_ node: JSONNode, properties: JSONNode?) throws(RouteFileError) {
        let numbers = try document.array(node, "a position: longitude, latitude and perhaps a height")
        guard numbers.count >= 2 else { throw document.unexpected(node, "a longitude and a latitude") }
        let longitude = try document.number(numbers[0], "a longitude")
        let latitude = try document.number(numbers[1], "a latitude")
        let place: GeographicCoordinate
        do throws(RouteFileError) {
            place = try GeographicPlace.make(longitude: longitude, latitude: latitude).get()
        } catch { throw document.error(at: node, error.what) }
        var point = RoutePoint(place: .geographic(place))
        if numbers.count > 2 {
            let height = try document.number(numbers[2], "a height above the ellipsoid, metres")
            point.altitude = .init(metres: height, reference: .ellipsoid)
        }
        if numbers.count > 3 { builder.note("numbers after the third of a position are left out") }
        if let properties, !properties.isNull { try annotate(&point, properties) }
        if point.altitude?.reference == .ellipsoid {
            builder.note("heights are above the ellipsoid (RFC 7946)", isLoss: false)
        }
        guard builder.hasCapacity else { throw document.unexpected(node, "at most \(builder.limit) points") }
        builder.route.points.append(point)
    }

    private mutating func annotate(_ point: inout RoutePoint, _ properties: JSONNode) throws(RouteFileError) {
        var entries: [(key: String, text: String)] = []
        for member in try document.object(properties, "the properties of a feature") {
            let isAnnotation = PointAnnotations.keys.contains(member.key)
            let text: String
            switch member.value.content {
            case .string(let value): text = value
            case .number(let number): text = PlainNumber.text(number)
            case .bool(let value): text = "\(value)"
            case .null: continue
            case .array, .object:
                guard !isAnnotation else { throw document.unexpected(member.value, "a value") }
                text = member.value.summary
            }
            if isAnnotation {
                entries.append((member.key, text))
            } else if member.key == "name" {
                if case .string(let name) = member.value.content { point.name = name }
            } else {
                let source = "property '\(member.key)'"
                let isHeld = builder.take(property: member.key, text, source: source, to: &point)
                if !isHeld, otherProperty == nil { otherProperty = member.key }
            }
        }
        builder.noteHeadings(entries)
        do throws(RouteFileError) { try PointAnnotations.apply(entries, to: &point) } catch {
            throw document.error(at: properties, error.what)
        }
    }
}

/// Checks the coordinate reference system: files from before RFC 7946 could name one other than WGS84, for example a
/// national grid in metres.
enum GeoJSONReference {
    static func check(_ document: JSONDocument) throws(RouteFileError) {
        guard let system = document.find("crs", in: document.root), !system.isNull else { return }
        let name = document.find("properties", in: system).flatMap { document.find("name", in: $0) }
        guard let name, case .string(let text) = name.content,
            ["CRS84", "4326", "4979"].contains(where: { text.uppercased().hasSuffix($0) })
        else {
            throw document.unexpected(
                name ?? system, "WGS84 (CRS84): convert the file, GeoJSON (RFC 7946) allows no other")
        }
    }
}
