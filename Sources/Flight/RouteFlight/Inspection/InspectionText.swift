package import Planning
internal import ReportKit
package import UAVLink

/// Texts for why there is no inspection plan, and for obstructions.
package enum InspectionText {
    /// One line: the obstruction, the width of the gap, and what can be reached instead.
    package static func line(_ failure: InspectionFailure) -> String {
        switch failure {
        case .cancelled: "planning was cancelled"
        case .request(let line), .tooLarge(let line, _): line
        case .points(let error): error.description
        case .unsafe(let segment, let obstruction):
            "the path is not safe between its points \(segment + 1) and \(segment + 2): \(reason(obstruction))"
        case .noPath(let why): line(why)
        }
    }

    /// One line: the obstruction, the width of the gap, and what can be reached instead.
    package static func line(_ why: NoPath) -> String {
        var text =
            switch why.reason {
            case .blocked(let stop, let obstruction):
                "the vehicle cannot be at \(name(stop)): \(reason(obstruction, needed: why.clearanceMetres))"
            case .noPathBetween(let from, let to, let gap):
                "no path from \(name(from)) to \(name(to))\(cells(why)): \(narrow(gap, why))\(crossed(why.obstacles))"
            }
        if let near = why.nearestReachable { text += "; the nearest reachable position is \(place(near))" }
        return text
    }

    /// The options of `uavlink map plan` with which the map is searched in smaller cells; `nil` if none would help.
    package static func advice(_ failure: InspectionFailure) -> String? {
        switch failure {
        case .tooLarge(_, nil): "use points that are closer together"
        case .tooLarge(_, let part?): options(part)
        case .noPath(let why): why.finer.map(options)
        case .unsafe, .request, .points, .cancelled: nil
        }
    }

    private static func options(_ part: SearchRegion) -> String {
        let (low, high) = (part.box.low, part.box.high)
        let corners = [low.x, low.y, low.z, high.x, high.y, high.z].map { $0.formatted(decimals: 1) }
        return "search a part of the map in smaller cells:"
            + " --region=\(corners.joined(separator: ",")) --cell \(part.cellMetres.formatted(decimals: 3))"
    }

    /// Why a vehicle cannot be at a position.
    ///
    /// - Parameter needed: the clearance that it needs there, metres, if that is to be said.
    package static func reason(_ obstruction: Obstruction, needed: Double? = nil) -> String {
        switch obstruction {
        case .mapPoint(let point, let metres): "map point \(place(point)) \(near(metres, needed))"
        case .unknown(let point, 0): "the space at \(place(point)) is unknown"
        case .unknown(let point, let metres): "unknown space at \(place(point)) \(near(metres, needed))"
        case .outsideMap: "it is outside the map"
        case .outsideRegion: "it is outside the region, or too close to its border, which is closed"
        case .outsideArea: "it is outside the safety area"
        case .obstacle(let name): "it is in the obstacle '\(name.sanitizedLine)', or too close to it"
        }
    }

    /// The most obstacles that are named.
    private static let mostNames = 3

    private static func crossed(_ obstacles: [String]) -> String {
        guard !obstacles.isEmpty else { return "" }
        let names = obstacles.prefix(mostNames).map { "'\($0.sanitizedLine)'" }.joined(separator: ", ")
        let more = obstacles.count > mostNames ? " and \(obstacles.count - mostNames) more" : ""
        return "; the straight line crosses the \(obstacles.count == 1 ? "obstacle" : "obstacles") \(names)\(more)"
    }

    /// A position as text, metres.
    package static func place(_ place: Vector3) -> String {
        "(\(place.x.formatted(decimals: 2)), \(place.y.formatted(decimals: 2)), \(place.z.formatted(decimals: 2)))"
    }

    /// Name of a stop, counted from 1.
    package static func name(_ stop: Stop) -> String {
        switch stop {
        case .start: "the start"
        case .place(let index): "point \(index + 1)"
        }
    }

    private static func narrow(_ gap: NoPath.Gap?, _ why: NoPath) -> String {
        guard let gap else {
            return why.isCertain ? "there is no gap for a vehicle of any size" : "no way around was found"
        }
        let (width, needed) = distinct(2 * gap.clearanceMetres, 2 * why.clearanceMetres)
        let bound =
            if case .unknown = gap.obstruction { "unknown space leaves" } else { "the map leaves" }
        return "at the narrowest position, \(place(gap.place)), \(bound) \(width) m; \(needed) m is needed"
    }

    private static func near(_ metres: Double, _ needed: Double?) -> String {
        guard let needed else { return "is only \(metres.formatted(decimals: 2)) m away" }
        let (found, wanted) = distinct(metres, needed)
        return "is only \(found) m away; \(wanted) m is needed"
    }

    /// The cell size, where smaller cells might find a path.
    private static func cells(_ why: NoPath) -> String {
        why.isCertain ? "" : " at this cell size (\(why.cellMetres.formatted(decimals: 3)) m)"
    }

    /// Two lengths in metres with as many decimals, from 2 to 6, as tell them apart.
    private static func distinct(_ one: Double, _ other: Double) -> (String, String) {
        for decimals in 2..<6 {
            let texts = (one.formatted(decimals: decimals), other.formatted(decimals: decimals))
            if texts.0 != texts.1 { return texts }
        }
        return (one.formatted(decimals: 6), other.formatted(decimals: 6))
    }
}
