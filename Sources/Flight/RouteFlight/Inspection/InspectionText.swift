package import Planning
internal import ReportKit
package import UAVLink

/// Texts for why there is no inspection plan, and for obstructions.
package enum InspectionText {
    /// One line: the obstruction, the width of the gap, and what can be reached instead.
    package static func line(_ failure: InspectionFailure) -> String {
        switch failure {
        case .cancelled: "planning was cancelled"
        case .request(let line): line
        case .unsafe(let segment, let obstruction):
            "the path is not safe between its points \(segment + 1) and \(segment + 2): \(reason(obstruction))"
        case .noPath(let why): line(why)
        }
    }

    /// One line: the obstruction, the width of the gap, and what can be reached instead.
    package static func line(_ why: NoPath) -> String {
        var text =
            switch why.reason {
            case .blocked(let stop, let obstruction): "the vehicle cannot be at \(name(stop)): \(reason(obstruction))"
            case .noPathBetween(let from, let to, let gap):
                "no path from \(name(from)) to \(name(to)): \(narrow(gap, why))"
            }
        if let near = why.nearestReachable { text += "; the nearest reachable position is \(place(near))" }
        return text
    }

    /// Why a vehicle cannot be at a position.
    package static func reason(_ obstruction: Obstruction) -> String {
        switch obstruction {
        case .mapPoint(let point, let metres):
            "map point \(place(point)) is only \(metres.formatted(decimals: 2)) m away"
        case .unknown(let point, 0): "the space at \(place(point)) is unknown"
        case .unknown(let point, let metres):
            "unknown space at \(place(point)) is only \(metres.formatted(decimals: 2)) m away"
        case .outsideMap: "it is outside the map"
        case .outsideArea: "it is outside the safety area"
        }
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
        guard let gap else { return "there is no gap for a vehicle of any size" }
        let width = (2 * gap.clearanceMetres).formatted(decimals: 2)
        let needed = (2 * why.clearanceMetres).formatted(decimals: 2)
        let bound =
            if case .unknown = gap.obstruction { "unknown space leaves" } else { "the map leaves" }
        return "at the narrowest position, \(place(gap.place)), \(bound) \(width) m; \(needed) m is needed"
    }
}
