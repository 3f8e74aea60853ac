internal import Geodesy
internal import Trajectories

/// Writes a feature for each point. The third number of a position is the height above the ellipsoid (RFC 7946); an altitude
/// with another reference is written to the properties together with its reference.
enum GeoJSONWriter {
    static func write(_ route: Route) throws(RouteFileError) -> WrittenRoute {
        var out = "{\"type\": \"FeatureCollection\", \"name\": \(JSONText.quoted(route.name)), \"features\": ["
        for (index, point) in route.points.enumerated() {
            let place = try GeographicOnly.place(of: point, number: index + 1, format: "GeoJSON")
            out += index == 0 ? "\n" : ",\n"
            out += "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": ["
            out += PlainNumber.text(place.longitudeDegrees) + ", " + PlainNumber.text(place.latitudeDegrees)
            if let altitude = point.altitude, altitude.reference == .ellipsoid {
                out += ", " + PlainNumber.text(altitude.metres)
            }
            out += "]}, \"properties\": {"
            var properties = point.name.isEmpty ? [] : ["\"name\": \(JSONText.quoted(point.name))"]
            for (key, value) in PointAnnotations.of(point, native: .ellipsoid) {
                switch value {
                case .number, .truth: properties.append("\"\(key)\": \(value.text)")
                case .text(let text): properties.append("\"\(key)\": \(JSONText.quoted(text))")
                }
            }
            out += properties.joined(separator: ", ") + "}}"
        }
        out += "\n]}\n"
        return WrittenRoute(bytes: Array(out.utf8), notes: [])
    }
}
