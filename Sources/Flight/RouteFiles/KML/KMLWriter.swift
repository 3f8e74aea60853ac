internal import Geodesy
internal import Trajectories

/// Writes a placemark for each point. KML supports altitudes above mean sea level and above ground; other altitudes,
/// headings, holds and the camera are written as extended data.
enum KMLWriter {
    static func write(_ route: Route) throws(RouteFileError) -> WrittenRoute {
        var out =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n"
        out += "<name>\(XMLText.escaped(route.name))</name>\n"
        for (index, point) in route.points.enumerated() {
            let place = try GeographicOnly.place(of: point, number: index + 1, format: "KML")
            out += "<Placemark>"
            if !point.name.isEmpty { out += "<name>\(XMLText.escaped(point.name))</name>" }
            let native: RoutePoint.AltitudeReference? = point.altitude?.reference == .ground ? .ground : .meanSeaLevel
            let data = PointAnnotations.of(point, native: native)
            if !data.isEmpty {
                out += "<ExtendedData>"
                for (key, value) in data {
                    out += "<Data name=\"uavlink_\(key)\"><value>\(XMLText.escaped(value.text))</value></Data>"
                }
                out += "</ExtendedData>"
            }
            out += "<Point>"
            let coordinates = PlainNumber.text(place.longitudeDegrees) + "," + PlainNumber.text(place.latitudeDegrees)
            if let altitude = point.altitude, altitude.reference == native {
                out += "<altitudeMode>\(native == .ground ? "relativeToGround" : "absolute")</altitudeMode>"
                out += "<coordinates>\(coordinates),\(PlainNumber.text(altitude.metres))</coordinates>"
            } else {
                out += "<coordinates>\(coordinates)</coordinates>"
            }
            out += "</Point></Placemark>\n"
        }
        out += "</Document>\n</kml>\n"
        return WrittenRoute(bytes: Array(out.utf8), notes: [])
    }
}
