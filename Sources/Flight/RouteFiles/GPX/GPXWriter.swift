internal import Geodesy
internal import Trajectories

/// Writes GPX 1.1 with one route. `ele` is above mean sea level; other altitudes, headings, holds and the camera are written
/// as extensions.
enum GPXWriter {
    static func write(_ route: Route) throws(RouteFileError) -> WrittenRoute {
        var out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"uavlink\""
        out += " xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:uavlink=\"urn:uavlink:route:1\">\n<rte>\n"
        if !route.name.isEmpty { out += "<name>\(XMLText.escaped(route.name))</name>\n" }
        for (index, point) in route.points.enumerated() {
            let place = try GeographicOnly.place(of: point, number: index + 1, format: "GPX")
            out += "<rtept lat=\"\(PlainNumber.text(place.latitudeDegrees))\""
            out += " lon=\"\(PlainNumber.text(place.longitudeDegrees))\">"
            if let altitude = point.altitude, altitude.reference == .meanSeaLevel {
                out += "<ele>\(PlainNumber.text(altitude.metres))</ele>"
            }
            if !point.name.isEmpty { out += "<name>\(XMLText.escaped(point.name))</name>" }
            let extras = PointAnnotations.of(point, native: .meanSeaLevel)
            if !extras.isEmpty {
                out += "<extensions>"
                for (key, value) in extras { out += "<uavlink:\(key)>\(XMLText.escaped(value.text))</uavlink:\(key)>" }
                out += "</extensions>"
            }
            out += "</rtept>\n"
        }
        out += "</rte>\n</gpx>\n"
        return WrittenRoute(bytes: Array(out.utf8), notes: [])
    }
}
