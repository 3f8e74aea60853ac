#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Geodesy
internal import ReportKit
internal import Trajectories
internal import UAVLink

/// What a plan has before its first waypoint and after its last one. A trajectory has none of it: where it would have led the
/// vehicle elsewhere, that is an omission.
struct PlanEnds {
    /// What comes last.
    enum Last {
        /// A landing; `nil`: where the vehicle is.
        case landing(GeographicCoordinate?)
        case returnToLaunch
    }

    /// A place this near is the same one.
    private static let sameMetres = 2.0

    /// The take-off; within it `nil`: where the vehicle stands.
    var takeOff: GeographicCoordinate??
    var last: Last?

    /// Adds what is to be said of them once all points are known.
    func tell(_ builder: inout RouteBuilder) {
        if let takeOff {
            switch Self.away(takeOff, builder.route.points.first) {
            case let metres? where metres > Self.sameMetres:
                builder.omit(
                    "the take-off is left out: its place is \(metres.formatted(decimals: 0)) m away from point 1, where the"
                        + " trajectory begins")
            default: builder.note("the take-off is left out: take off first")
            }
        }
        switch last {
        case .landing(let place):
            switch Self.away(place, builder.route.points.last) {
            case let metres? where metres > Self.sameMetres:
                builder.omit(
                    "the landing is left out: its place is \(metres.formatted(decimals: 0)) m away from the last point, where"
                        + " the trajectory ends")
            default: builder.note("the landing is left out: land afterwards")
            }
        case .returnToLaunch:
            switch Self.away(builder.plannedHome?.place, builder.route.points.last) {
            case let metres? where metres <= Self.sameMetres:
                builder.note("the return to launch is left out: land afterwards")
            case let metres?:
                builder.omit(
                    "the return to launch is left out: the planned home is \(metres.formatted(decimals: 0)) m away from the"
                        + " last point, where the trajectory ends")
            case nil:
                builder.omit(
                    "the return to launch is left out: the trajectory ends at the last point, and the file has no home")
            }
        case nil: break
        }
    }

    private static func away(_ place: GeographicCoordinate?, _ point: RoutePoint?) -> Double? {
        guard let place, case .geographic(let other)? = point?.place else { return nil }
        return place.roughMetres(to: other)
    }
}

extension GeographicCoordinate {
    /// Metres to another place, to a percent where they are near each other.
    func roughMetres(to other: GeographicCoordinate) -> Double {
        let metresPerDegree = 111_320.0
        let north = (other.latitudeDegrees - latitudeDegrees) * metresPerDegree
        let turn = (other.longitudeDegrees - longitudeDegrees).remainder(dividingBy: 360)
        let east = turn * metresPerDegree * cos(latitudeDegrees * .pi / 180)
        return (north * north + east * east).squareRoot()
    }
}
