/// The first line of an XYZ file, if it names the columns x, y and z, in any order and among others ("intensity,x,y,z",
/// "x_m y_m z_m", "Easting;Northing;Elevation", and the names of ParaView and VeloView).
struct XYZHeading {
    /// The number of columns.
    let columns: Int
    /// Semicolon, tab, comma or blank.
    let separator: UInt8
    /// The columns of x, y and z, from 0.
    let places: [Int]
    /// Whether x, y and z are the first three columns, in this order; asked for in every row.
    let isLeading: Bool

    /// - Throws: an error if a coordinate is not in metres.
    init?(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>, source: CloudSource, number: Int) throws(PointCloudError)
    {
        let row = XYZCells(bytes, line)
        let names = row.cells.map { String(decoding: bytes[$0.range], as: UTF8.self).lowercased() }
        (columns, separator) = (names.count, row.separator)
        var places: [Int] = []
        for axis in ["x", "y", "z"] {
            let word = ([axis] + (Self.synonyms[axis] ?? [])).first { word in
                names.contains { Self.unit(of: $0, word) != nil }
            }
            guard let word else { break }
            let matching = names.indices.filter { Self.unit(of: names[$0], word) != nil }
            guard let place = matching.first, matching.count == 1 else { break }
            if let unit = Self.unit(of: names[place], word), !Self.metres.contains(unit) {
                throw source.error(
                    .unsupported, line: number,
                    "found the column \(CloudSource.shown(names[place].utf8)); expected coordinates in metres")
            }
            places.append(place)
        }
        if places.count < 3 {
            let parts = (0..<3).compactMap { part in names.firstIndex { Self.isPart($0, part) } }
            if parts.count == 3 { places = parts }
        }
        if places.count < 3 {
            // Names of their own, such as "xpos ypos zpos".
            guard names.count >= 3 else { return nil }
            for (axis, name) in zip(["x", "y", "z"], names) {
                guard name.first(where: \.isLetter).map(String.init) == axis else { return nil }
            }
            places = [0, 1, 2]
        }
        self.places = places
        isLeading = places == [0, 1, 2]
    }

    /// What surveyors call the axes.
    private static let synonyms = [
        "x": ["easting", "east"], "y": ["northing", "north"], "z": ["elevation", "height", "altitude", "up"],
    ]
    private static let metres: Set<Substring> = ["", "m", "metre", "metres", "meter", "meters"]
    private static let others: Set<Substring> = ["mm", "cm", "dm", "km", "in", "inch", "ft", "feet"]

    /// Whether ParaView ("Points:0", "Points_0") or VeloView ("Points_m_XYZ:0") gives this name to a coordinate.
    private static func isPart(_ name: String, _ part: Int) -> Bool {
        ["points:", "points_", "points_m_xyz:"].contains { name == "\($0)\(part)" }
    }

    /// The unit in the name of a coordinate's column, "" without one; `nil` if it is another column.
    private static func unit(of name: String, _ axis: String) -> Substring? {
        guard name.hasPrefix(axis) else { return nil }
        let rest = name.dropFirst(axis.count)
        if rest.isEmpty { return rest }
        guard let first = rest.first, "_[( /".contains(first) else { return nil }
        let unit = rest.drop { "_[( /".contains($0) }.prefix { $0.isLetter }
        return metres.contains(unit) || others.contains(unit) ? unit : nil
    }
}
