internal import JSON
internal import Geodesy

/// Reads map backgrounds: GeoJSON and OpenStreetMap extracts from disk. Nothing is downloaded.
package enum BackgroundReader {
    /// The features in a file.
    ///
    /// - Parameter name: the file's name, for errors.
    /// - Throws: ``RouteFileError`` that names the file, the line, what was found and what was expected.
    package static func read(_ bytes: [UInt8], name: String) throws(RouteFileError) -> MapFeatures {
        let head = bytes.prefix(64).drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if head.first == UInt8(ascii: "<") { return try OSMReader.read(bytes, source: name) }
        // A binary extract begins with the length of its first header, which is below 64 KiB.
        if bytes.starts(with: [0, 0]) || name.lowercased().hasSuffix(".pbf") {
            return try OSMBinaryReader.read(bytes, source: name)
        }
        return try BackgroundGeoJSON.read(bytes, source: name)
    }
}

/// GeoJSON as a background: lines, rings and places, with OpenStreetMap tags or `kind` as properties.
private struct BackgroundGeoJSON {
    let document: JSONDocument
    var builder = FeatureBuilder()

    static func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> MapFeatures {
        var reader = BackgroundGeoJSON(document: try JSONReader.read(bytes, source: source))
        try GeoJSONReference.check(reader.document)
        try reader.feature(reader.document.root)
        return reader.builder.found
    }

    private mutating func feature(_ node: JSONNode) throws(RouteFileError) {
        switch try document.string(document.value("type", in: node, "an object of GeoJSON"), "a type of GeoJSON") {
        case "FeatureCollection":
            for feature in try document.array(document.value("features", in: node)) { try self.feature(feature) }
        case "Feature":
            guard let geometry = document.find("geometry", in: node), !geometry.isNull else { return }
            try self.geometry(geometry, document.find("properties", in: node))
        default: try geometry(node, nil)
        }
    }

    private mutating func geometry(_ node: JSONNode, _ properties: JSONNode?) throws(RouteFileError) {
        let type = try document.value("type", in: node, "a geometry")
        let name = try document.string(type, "a type of geometry")
        if name == "GeometryCollection" {
            for part in try document.array(document.value("geometries", in: node)) { try geometry(part, properties) }
            return
        }
        let coordinates = try document.value("coordinates", in: node)
        switch name {
        case "Point": try append([coordinates], false, properties, node)
        case "MultiPoint":
            for part in try document.array(coordinates) { try append([part], false, properties, node) }
        case "LineString": try append(try document.array(coordinates), false, properties, node)
        case "MultiLineString":
            for part in try document.array(coordinates) {
                try append(try document.array(part), false, properties, node)
            }
        case "Polygon": try rings(coordinates, properties, node)
        case "MultiPolygon":
            for part in try document.array(coordinates) { try rings(part, properties, node) }
        default: throw document.unexpected(type, "a type of geometry")
        }
    }

    private mutating func rings(_ node: JSONNode, _ properties: JSONNode?, _ at: JSONNode) throws(RouteFileError) {
        let rings = try document.array(node, "the rings of a polygon")
        if rings.count > 1 { builder.note("the holes of areas are left out") }
        if let outer = rings.first { try append(try document.array(outer), true, properties, at) }
    }

    private mutating func append(
        _ positions: [JSONNode], _ isArea: Bool, _ properties: JSONNode?, _ at: JSONNode
    ) throws(RouteFileError) {
        var places: [GeographicCoordinate] = []
        places.reserveCapacity(positions.count)
        for position in positions {
            let numbers = try document.array(position, "a position")
            guard numbers.count >= 2 else { throw document.unexpected(position, "a longitude and a latitude") }
            let longitude = try document.number(numbers[0], "a longitude")
            let latitude = try document.number(numbers[1], "a latitude")
            do throws(RouteFileError) {
                places.append(try GeographicPlace.make(longitude: longitude, latitude: latitude).get())
            } catch { throw document.error(at: position, error.what) }
        }
        guard !places.isEmpty else { return }
        func text(_ key: String) -> String? {
            guard let properties, let value = document.find(key, in: properties), case .string(let text) = value.content
            else { return nil }
            return text
        }
        do throws(RouteFileError) {
            try builder.append(
                MapFeature(kind: MapFeature.Kind(tags: text), isArea: isArea, places: places, name: text("name") ?? ""))
        } catch { throw document.error(at: at, error.what) }
    }
}
