public import Planning
internal import ReportKit
public import UAVLink

/// Says in words why there is no inspection, and what it comes near to.
public enum InspectionWords {
    /// One line: what is in the way, how narrow it is, what can be reached instead.
    public static func line(_ failure: InspectionFailure) -> String {
        switch failure {
        case .cancelled: "planning was cancelled"
        case .request(let line): line
        case .unsafe(let segment, let obstruction):
            "the path is not safe between its places \(segment + 1) and \(segment + 2): \(reason(obstruction))"
        case .noPath(let why): line(why)
        }
    }

    /// One line: what is in the way, how narrow it is, what can be reached instead.
    public static func line(_ why: NoPath) -> String {
        var text =
            switch why.reason {
            case .blocked(let stop, let obstruction): "the vehicle cannot be at \(name(stop)): \(reason(obstruction))"
            case .noWay(let from, let to, let gap):
                "there is no path from \(name(from)) to \(name(to)): \(narrow(gap, why))"
            }
        if let near = why.nearestReachable { text += "; the nearest place that it can reach is \(place(near))" }
        return text
    }

    /// Why a vehicle cannot be somewhere.
    public static func reason(_ obstruction: Obstruction) -> String {
        switch obstruction {
        case .mapPoint(let point, let metres):
            "the point \(place(point)) of the map is only \(metres.formatted(decimals: 2)) m away"
        case .unknown(let point, 0): "nobody has seen what is at \(place(point))"
        case .unknown(let point, let metres):
            "space that nobody has seen, at \(place(point)), is only \(metres.formatted(decimals: 2)) m away"
        case .outsideMap: "it is not within the map"
        case .outsideArea: "it is not within the safety area"
        }
    }

    /// Metres, as people read them.
    public static func place(_ place: Vector3) -> String {
        "(\(place.x.formatted(decimals: 2)), \(place.y.formatted(decimals: 2)), \(place.z.formatted(decimals: 2)))"
    }

    /// A stop, counted as people count.
    public static func name(_ stop: Stop) -> String {
        switch stop {
        case .start: "the start"
        case .place(let index): "point \(index + 1)"
        }
    }

    private static func narrow(_ gap: NoPath.Gap?, _ why: NoPath) -> String {
        guard let gap else { return "not even the smallest vehicle gets through" }
        let width = (2 * gap.clearanceMetres).formatted(decimals: 2)
        let needed = (2 * why.clearanceMetres).formatted(decimals: 2)
        let bound =
            if case .unknown = gap.obstruction { "unknown space leaves" } else { "the map leaves" }
        return "at its narrowest, at \(place(gap.place)), \(bound) \(width) m, and \(needed) m are needed"
    }
}
