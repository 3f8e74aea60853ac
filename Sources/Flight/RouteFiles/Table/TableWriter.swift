internal import Geodesy
internal import Trajectories
internal import UAVLink

/// Writes tables: `x,y,z,heading` for points in metres of one frame, `latitude,longitude` with named columns for geographic
/// points, and further columns only where a point has a value.
enum TableWriter {
    static func write(_ route: Route) throws(RouteFileError) -> WrittenRoute {
        guard let first = route.points.first else { throw RouteFileError("the route has no points") }
        for (index, point) in route.points.enumerated() {
            try GeographicOnly.finite(point, number: index + 1)
            guard kind(point) == kind(first) else {
                throw RouteFileError(
                    "point \(index + 1) is in \(kind(point)) and point 1 in \(kind(first)): a table supports only one of them"
                )
            }
        }
        var native: RoutePoint.AltitudeReference?
        var out = ""
        if case .local(_, _, let frame) = first.place {
            native = .frame(frame)
            if !frame.name.isEmpty { out += "# frame: \(frame.name)\n" }
            out += "# heading: rad\n"
        }
        let rows = route.points.map { point in
            PointAnnotations.of(point, native: native).filter { $0.key != "heading_rad" && $0.key != "heading" }
        }
        let keys = PointAnnotations.keys.filter { key in rows.contains { $0.contains { $0.key == key } } }.sorted()
        let isNamed = route.points.contains { !$0.name.isEmpty }
        var header = native == nil ? ["latitude", "longitude", "heading_rad"] : ["x", "y", "z", "heading"]
        header += keys + (isNamed ? ["name"] : [])
        out += header.joined(separator: ",") + "\n"
        for (point, row) in zip(route.points, rows) {
            var cells: [String]
            switch point.place {
            case .geographic(let place):
                cells = [PlainNumber.text(place.latitudeDegrees), PlainNumber.text(place.longitudeDegrees)]
            case .local(let x, let y, _):
                let z = point.altitude.flatMap { $0.reference == native ? PlainNumber.text($0.metres) : nil }
                cells = [PlainNumber.text(x), PlainNumber.text(y), z ?? ""]
            }
            switch point.heading {
            case .fixed(let radians): cells.append(PlainNumber.text(radians))
            case .alongPath: cells.append("along_path")
            case .towards, nil: cells.append("")
            }
            for key in keys { cells.append(quoted(row.first { $0.key == key }?.value.text ?? "")) }
            if isNamed { cells.append(quoted(point.name)) }
            out += cells.joined(separator: ",") + "\n"
        }
        return WrittenRoute(bytes: Array(out.utf8), notes: [])
    }

    private static func kind(_ point: RoutePoint) -> String {
        switch point.place {
        case .geographic: "latitude and longitude"
        case .local(_, _, let frame): "metres of '\(frame.description.sanitizedLine)'"
        }
    }

    private static func quoted(_ text: String) -> String {
        // A row must stay on one line, and the reader splits it at the first separator it finds.
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        guard line.contains(where: { ",;\"#".contains($0) }) else { return line }
        return "\"" + line.replacing("\"", with: "\"\"") + "\""
    }
}
