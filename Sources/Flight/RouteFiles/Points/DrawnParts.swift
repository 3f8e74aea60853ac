/// Counts what a file draws. A route is one path: parts that it joins, and areas, are flown otherwise than they are drawn.
struct DrawnParts {
    /// A kind of part.
    enum Kind {
        /// Points by themselves; those that follow each other are one path.
        case points
        /// A line, a ring or a recorded track.
        case line
        /// A polygon.
        case polygon
    }

    private var points = 0
    private var runsOfPoints = 0
    private var lines = 0
    private var polygons = 0
    private var last: Kind?

    /// Adds a part, in the order of the file; one without points is none.
    mutating func add(_ kind: Kind, points count: Int) {
        guard count > 0 else { return }
        switch kind {
        case .points:
            points += count
            if last != .points { runsOfPoints += 1 }
        case .line: lines += 1
        case .polygon: polygons += 1
        }
        last = kind
    }

    /// How the route differs from what is drawn; see ``ReadRoute/omissions``.
    var differences: [String] {
        var found: [String] = []
        if runsOfPoints + lines + polygons > 1 {
            let parts = [(lines, "line"), (polygons, "polygon"), (points, "single point")].filter { $0.0 > 0 }
            let names = parts.map { count, name in "\(count) \(name)\(count == 1 ? "" : "s")" }
            found.append("\(names.joined(separator: " and ")) are joined: the legs between them are not in the file")
        }
        if polygons > 0 {
            found.append(
                polygons == 1
                    ? "a polygon is an area, and its border is flown as a path"
                    : "\(polygons) polygons are areas, and their borders are flown as paths")
        }
        return found
    }
}
