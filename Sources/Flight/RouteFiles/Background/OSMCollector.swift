internal import Geodesy

/// Turns nodes and ways of an OpenStreetMap extract into features, for both file formats.
struct OSMCollector {
    static let maximumNodes = 3_000_000
    /// Limit of OpenStreetMap itself.
    static let maximumNodesOfWay = 2000

    private var builder = FeatureBuilder()
    private var nodes: [Int64: GeographicCoordinate] = [:]
    private var missing = 0

    /// - Throws: an error without file and line.
    mutating func node(
        _ id: Int64, latitude: Double, longitude: Double, tags: [String: String]
    ) throws(RouteFileError) {
        guard nodes.count < Self.maximumNodes else {
            throw RouteFileError("there are more than \(Self.maximumNodes) nodes")
        }
        let place = try GeographicPlace.make(longitude: longitude, latitude: latitude).get()
        nodes[id] = place
        guard !tags.isEmpty else { return }
        let kind = MapFeature.Kind { tags[$0] }
        guard kind == .tower || kind == .power else { return }
        try builder.append(MapFeature(kind: kind, isArea: false, places: [place], name: tags["name"] ?? ""))
    }

    /// - Throws: an error without file and line.
    mutating func way(_ references: [Int64], tags: [String: String]) throws(RouteFileError) {
        guard references.count <= Self.maximumNodesOfWay else {
            throw RouteFileError("a way has more than \(Self.maximumNodesOfWay) corners")
        }
        guard !tags.isEmpty else { return }
        let way = references.compactMap { nodes[$0] }
        missing += references.count - way.count
        guard way.count >= 2 else { return }
        let kind = MapFeature.Kind { tags[$0] }
        let areLines: Set<MapFeature.Kind> = [.road, .path, .railway, .barrier, .power]
        let isClosed = way.count >= 4 && way.first == way.last
        try builder.append(
            MapFeature(
                kind: kind, isArea: isClosed && (tags["area"] == "yes" || !areLines.contains(kind)), places: way,
                name: tags["name"] ?? ""))
    }

    mutating func relation() { builder.note("relations are left out") }

    mutating func finished() -> MapFeatures {
        if missing > 0 {
            builder.note("\(missing) nodes of ways are not in the extract: these lines are incomplete")
        }
        return builder.found
    }
}
