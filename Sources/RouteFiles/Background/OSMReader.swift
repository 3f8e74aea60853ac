internal import Geodesy

/// Reads OpenStreetMap extracts (XML, version 0.6): ways with tags, and towers. Relations are left out aloud, but for what their ways
/// say themselves.
final class OSMReader: XMLHandler {
    static let maximumNodes = 3_000_000
    /// What the format itself allows.
    static let maximumNodesOfWay = 2000

    private let source: String
    private var builder = FeatureBuilder()
    private var nodes: [Int64: GeographicCoordinate] = [:]
    private var tags: [String: String] = [:]
    private var way: [GeographicCoordinate] = []
    private var node: GeographicCoordinate?
    private var inside = ""
    private var missing = 0
    private var hasRoot = false

    static func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> MapFeatures {
        let reader = OSMReader(source: source)
        try XMLReader.read(bytes, source: source, handler: reader)
        if reader.missing > 0 {
            reader.builder.note(
                "\(reader.missing) corners of ways are not in the extract: their lines are shorter there")
        }
        return reader.builder.found
    }

    private init(source: String) { self.source = source }

    func start(_ element: XMLElement) throws(RouteFileError) {
        if !hasRoot {
            hasRoot = true
            guard element.name == "osm" else {
                throw RouteFileError(
                    source, line: element.line, "found the element \(RouteFileError.shown(element.name)), expected osm")
            }
        }
        switch element.name {
        case "node": try begin(node: element)
        case "way":
            (way, tags, inside) = ([], [:], "way")
        case "relation":
            (tags, inside) = ([:], "relation")
            builder.note("relations are left out")
        case "nd" where inside == "way": try corner(element)
        case "tag" where inside == "way" || inside == "node":
            guard let key = element.attribute("k"), let value = element.attribute("v"), tags.count < 256 else { break }
            tags[key] = value
        default: break
        }
    }

    private func begin(node element: XMLElement) throws(RouteFileError) {
        (tags, inside) = ([:], "node")
        guard let id = element.attribute("id").flatMap({ Int64($0) }),
            let latitude = element.attribute("lat").flatMap({ PlainNumber.double($0) }),
            let longitude = element.attribute("lon").flatMap({ PlainNumber.double($0) })
        else { throw RouteFileError(source, line: element.line, "a node lacks id, lat or lon, or they are no numbers") }
        guard nodes.count < Self.maximumNodes else {
            throw RouteFileError(source, line: element.line, "there are more than \(Self.maximumNodes) nodes")
        }
        do throws(RouteFileError) {
            let place = try GlobePlace.make(longitude: longitude, latitude: latitude).get()
            nodes[id] = place
            node = place
        } catch { throw error.at(source, line: element.line) }
    }

    private func corner(_ element: XMLElement) throws(RouteFileError) {
        guard let reference = element.attribute("ref").flatMap({ Int64($0) }) else {
            throw RouteFileError(source, line: element.line, "a corner of a way has no ref, or it is no number")
        }
        guard way.count < Self.maximumNodesOfWay else {
            throw RouteFileError(source, line: element.line, "a way has more than \(Self.maximumNodesOfWay) corners")
        }
        if let place = nodes[reference] { way.append(place) } else { missing += 1 }
    }

    func end(_ name: String, text: String, line: Int) throws(RouteFileError) {
        switch name {
        case "node":
            defer { inside = "" }
            guard let place = node, !tags.isEmpty else { break }
            let kind = MapFeature.Kind { tags[$0] }
            guard kind == .tower || kind == .power else { break }
            try append(MapFeature(kind: kind, isArea: false, places: [place], name: tags["name"] ?? ""), line: line)
        case "way":
            defer { inside = "" }
            guard way.count >= 2, !tags.isEmpty else { break }
            let kind = MapFeature.Kind { tags[$0] }
            let isLine: Set<MapFeature.Kind> = [.road, .path, .railway, .barrier, .power]
            let isClosed = way.count >= 4 && way.first == way.last
            try append(
                MapFeature(
                    kind: kind, isArea: isClosed && (tags["area"] == "yes" || !isLine.contains(kind)), places: way,
                    name: tags["name"] ?? ""), line: line)
        case "relation": inside = ""
        default: break
        }
    }

    private func append(_ feature: MapFeature, line: Int) throws(RouteFileError) {
        do throws(RouteFileError) { try builder.append(feature) } catch { throw error.at(source, line: line) }
    }
}
