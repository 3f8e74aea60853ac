#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ModeKit
internal import RouteKit
internal import Geodesy
internal import ReportKit

/// Viewports, grids and scales of the map.
enum MapGeometry {
    /// The viewport that shows all positions, with a margin.
    static func view(of places: [MapPlace], columns: Int, rows: Int) -> MapViewport? {
        guard let (low, high) = bounds(of: places) else { return nil }
        let (width, height) = (high.east - low.east, high.north - low.north)
        let across = width / Double(max(1, columns - 6))
        let up = height / Double(max(1, rows - 4)) / 2
        return MapViewport(
            centre: MapPlace(east: (low.east + high.east) / 2, north: (low.north + high.north) / 2),
            // The closest automatic zoom. A single position is shown with some thirty metres around it, to leave space for points.
            metresPerColumn: max(across, up, width + height < 1 ? 0.5 : 0.1))
    }

    private static func bounds(of places: [MapPlace]) -> (low: MapPlace, high: MapPlace)? {
        guard let first = places.first else { return nil }
        var (low, high) = (first, first)
        for place in places {
            low = MapPlace(east: min(low.east, place.east), north: min(low.north, place.north))
            high = MapPlace(east: max(high.east, place.east), north: max(high.north, place.north))
        }
        return (low, high)
    }

    /// Whether a position belongs in a view of others: it is no farther outside of their bounds than these are long, or 100 m, as that
    /// of a vehicle which stands beside a short route.
    static func isNear(_ place: MapPlace, _ others: [MapPlace]) -> Bool {
        guard let (low, high) = bounds(of: others) else { return false }
        let reach = max(100, high.east - low.east, high.north - low.north)
        return place.east >= low.east - reach && place.east <= high.east + reach
            && place.north >= low.north - reach && place.north <= high.north + reach
    }

    /// A round length of at most twelve columns: 1, 2 or 5 times a power of ten.
    static func scaleBar(_ viewport: MapViewport) -> ScaleBar {
        let metres = round125(12 * viewport.metresPerColumn)
        let label =
            metres >= 1000
            ? "\((metres / 1000).formatted(decimals: 0)) km"
            : metres >= 1 ? "\(metres.formatted(decimals: 0)) m" : "\((metres * 100).formatted(decimals: 0)) cm"
        return ScaleBar(metres: metres, label: label)
    }

    /// The largest of 1, 2 and 5 times a power of ten that does not exceed a value.
    static func round125(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        let power = pow(10, log10(value).rounded(.down))
        return [5, 2, 1].map { $0 * power }.first { $0 <= value * (1 + 1e-9) } ?? power
    }

    /// The direction of true north from the map's up, radians, clockwise positive; 0 without a world origin.
    static func north(at centre: MapPlace, _ session: WorldSession?) -> Double {
        guard let session, let here = try? session.geographic(xMetres: centre.east, yMetres: centre.north) else {
            return 0
        }
        let there = GeographicCoordinate(
            latitudeDegrees: min(90, here.latitudeDegrees + 0.001), longitudeDegrees: here.longitudeDegrees)
        guard let (x, y) = try? session.world(there) else { return 0 }
        return atan2(x - centre.east, y - centre.north)
    }

    /// Grid lines about sixteen columns apart: meridians and parallels with a known world origin, else metres.
    static func grid(_ viewport: MapViewport, columns: Int, rows: Int, _ session: WorldSession?) -> [MapGridLine] {
        let half = (
            east: Double(columns) / 2 * viewport.metresPerColumn, north: Double(rows) / 2 * viewport.metresPerRow
        )
        let low = MapPlace(east: viewport.centre.east - half.east, north: viewport.centre.north - half.north)
        let high = MapPlace(east: viewport.centre.east + half.east, north: viewport.centre.north + half.north)
        let step = round125(20 * viewport.metresPerColumn)
        if let session, let lines = graticule(low, high, step: step, viewport, session) { return lines }
        return metres(low, high, step: step)
    }

    private static func metres(_ low: MapPlace, _ high: MapPlace, step: Double) -> [MapGridLine] {
        let decimals = step >= 1 ? 0 : 2
        return multiples(of: step, from: low.east, to: high.east).map { east in
            MapGridLine(
                from: MapPlace(east: east, north: low.north), to: MapPlace(east: east, north: high.north),
                label: "\(east.formatted(decimals: decimals)) m")
        }
            + multiples(of: step, from: low.north, to: high.north).map { north in
                MapGridLine(
                    from: MapPlace(east: low.east, north: north), to: MapPlace(east: high.east, north: north),
                    label: "\(north.formatted(decimals: decimals)) m")
            }
    }

    private static func graticule(
        _ low: MapPlace, _ high: MapPlace, step: Double, _ viewport: MapViewport, _ session: WorldSession
    ) -> [MapGridLine]? {
        var (south, west, north, east) = (90.0, 180.0, -90.0, -180.0)
        for corner in [
            low, high, MapPlace(east: low.east, north: high.north), MapPlace(east: high.east, north: low.north),
        ] {
            guard let place = try? session.geographic(xMetres: corner.east, yMetres: corner.north) else { return nil }
            (south, north) = (min(south, place.latitudeDegrees), max(north, place.latitudeDegrees))
            (west, east) = (min(west, place.longitudeDegrees), max(east, place.longitudeDegrees))
        }
        // A degree of latitude is 111 km. Across the date line, or over a quarter of the globe, the grid is in metres.
        guard east - west < 90, north - south < 45 else { return nil }
        let degrees = round125(step / 111_000)
        let narrowing = max(0.05, cos((south + north) / 2 * .pi / 180))
        var degreesEast = round125(degrees / narrowing * 1.5)
        // Every meridian has its label: where some labels were left out for want of space, those that are left would be uneven.
        let columnsPerDegree = 111_000 * narrowing / viewport.metresPerColumn
        func labelColumns() -> Int {
            max(west.magnitude, east.magnitude).formatted(decimals: decimals(of: degreesEast)).count + 4
        }
        while degreesEast * columnsPerDegree < Double(labelColumns()), degreesEast < 45 {
            degreesEast = round125(degreesEast * 2.6)
        }
        func line(_ from: (Double, Double), _ to: (Double, Double), _ label: String) -> MapGridLine? {
            guard
                let start = try? session.world(
                    GeographicCoordinate(latitudeDegrees: from.0, longitudeDegrees: from.1)),
                let end = try? session.world(GeographicCoordinate(latitudeDegrees: to.0, longitudeDegrees: to.1))
            else { return nil }
            return MapGridLine(
                from: MapPlace(east: start.xMetres, north: start.yMetres),
                to: MapPlace(east: end.xMetres, north: end.yMetres), label: label)
        }
        return multiples(of: degreesEast, from: west, to: east).compactMap { longitude in
            let side = longitude < 0 ? "W" : "E"
            return line(
                (south, longitude), (north, longitude),
                "\(longitude.magnitude.formatted(decimals: decimals(of: degreesEast))) \(side)")
        }
            + multiples(of: degrees, from: south, to: north).compactMap { latitude in
                let side = latitude < 0 ? "S" : "N"
                return line(
                    (latitude, west), (latitude, east),
                    "\(latitude.magnitude.formatted(decimals: decimals(of: degrees))) \(side)")
            }
    }

    /// The decimals that tell multiples of a step apart.
    private static func decimals(of step: Double) -> Int {
        min(7, max(0, Int(saturating: (-log10(step)).rounded(.up))))
    }

    private static func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
        let first = (low / step).rounded(.up)
        let count = (high / step).rounded(.down) - first
        guard count >= 0, count < 200 else { return [] }
        return (0...Int(saturating: count)).map { (first + Double($0)) * step }
    }
}
