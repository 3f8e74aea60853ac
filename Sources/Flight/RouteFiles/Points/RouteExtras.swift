internal import Trajectories
internal import UAVLink

/// What a file has and the points that are written do not hold, in a few words for the question before it is replaced.
enum RouteExtras {
    /// What follows the name of a thing in the warnings about it.
    private static let verbs = [
        " is left out", " are left out", " is read as ", " is not followed", " is not flown", " is an area",
        " are areas", " are joined",
    ]

    /// The thing that a warning is about: `the take-off` of `the take-off is left out: take off first`.
    static func kind(ofNote text: String) -> String {
        for verb in verbs {
            if let found = text.firstRange(of: verb) { return String(text[..<found.lowerBound]) }
        }
        return text
    }

    /// What the points of a route have and written ones do not: names, altitudes that count from elsewhere, frames.
    static func kinds(in route: Route) -> [String] {
        var kinds = route.name.isEmpty ? [] : ["the name of the route"]
        var (isNamed, references, frames) = (false, Set<RoutePoint.AltitudeReference>(), Set<String>())
        for point in route.points {
            if !point.name.isEmpty { isNamed = true }
            if let altitude = point.altitude { references.insert(altitude.reference) }
            // Without a name, the user said which one it is, and it is written.
            if case .local(_, _, let frame) = point.place, frame != .current, frame != .worldOrigin {
                frames.insert(frame.name)
            }
        }
        if isNamed { kinds.append("the names of points") }
        if references.contains(.home) { kinds.append("altitudes above home") }
        if references.contains(.ground) { kinds.append("altitudes above the ground") }
        if references.contains(.ellipsoid) { kinds.append("altitudes above the ellipsoid") }
        return kinds + frames.sorted().map { "coordinates in \($0)" }
    }
}
