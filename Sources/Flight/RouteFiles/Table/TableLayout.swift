internal import Trajectories
internal import UAVLink

/// The directives in the comments of a table.
struct TableDirectives {
    var frame: FrameName?
    /// `nil`: not said.
    var headingIsDegrees: Bool?
    var altitude: RoutePoint.AltitudeReference?
    /// Whether there are other comments.
    private(set) var hasRemarks = false

    /// Parses `frame: local_origin, heading: deg, altitude: amsl, units: m`; other comments are ignored.
    mutating func take(_ comment: String) throws(RouteFileError) {
        for part in comment.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let pair = part.split(separator: ":", maxSplits: 1).map { XMLText.trimmed($0) }
            guard pair.count == 2 else {
                if pair.contains(where: { !$0.isEmpty }) { hasRemarks = true }
                continue
            }
            switch pair[0].lowercased() {
            case "frame":
                let name = FrameName(pair[1])
                guard name.isValid else {
                    throw RouteFileError(
                        "frame: found \(RouteFileError.shown(pair[1])), expected a frame such as local_origin")
                }
                frame = name
            case "heading":
                guard ["rad", "deg"].contains(pair[1]) else {
                    throw RouteFileError("heading: found \(RouteFileError.shown(pair[1])), expected rad or deg")
                }
                headingIsDegrees = pair[1] == "deg"
            case "altitude":
                guard let reference = PointAnnotations.reference(pair[1]) else {
                    throw RouteFileError(
                        "altitude: found \(RouteFileError.shown(pair[1])), expected amsl, ellipsoid, ground, home or frame:NAME"
                    )
                }
                altitude = reference
            case "units":
                guard pair[1] == "m" else {
                    throw RouteFileError("units: found \(RouteFileError.shown(pair[1])), expected m")
                }
            default: hasRemarks = true
            }
        }
    }
}

/// The content of a table's column.
enum TableColumn: Hashable {
    case x, y, z, latitude, longitude, name, unknown
    /// Metres; where the name has no reference, the directives may.
    case altitude(RoutePoint.AltitudeReference?)
    /// `nil`: as in the directives.
    case heading(isDegrees: Bool?)
    case cameraPitchDegrees
    /// One of ``PointAnnotations/keys``.
    case annotation(String)

    /// The content by the name in the header; `unknown` where a word of it may give it another meaning or unit.
    init(header: String) {
        let name = header.lowercased()
        let words = Self.words(of: name)
        let first = words.first ?? ""
        let others = Set(words.dropFirst())
        switch first {
        case _ where PointAnnotations.keys.contains(name) && !name.hasPrefix("heading"): self = .annotation(name)
        case "x", "easting": self = .x
        case "y", "northing": self = .y
        case "z": self = .z
        case "lat", "latitude": self = .latitude
        case "lon", "lng", "long", "longitude": self = .longitude
        case "name": self = .name
        case "alt", "altitude", "ele", "elevation", "height":
            self = .altitude(others.lazy.compactMap { PointAnnotations.reference($0) }.first)
        case "heading" where name == "heading_towards": self = .annotation(name)
        case "heading", "hdg", "yaw":
            let isDegrees = !others.isDisjoint(with: Self.degrees)
            self = .heading(isDegrees: isDegrees ? true : others.isDisjoint(with: Self.radians) ? nil : false)
        case "hold": self = .annotation("hold_s")
        case "snapshot": self = .annotation("snapshot")
        case _ where ["camera", "gimbal"].contains(first) && words.contains("pitch"):
            if !others.isDisjoint(with: Self.degrees) {
                self = .cameraPitchDegrees
            } else {
                self = others.isDisjoint(with: Self.radians) ? .unknown : .annotation("camera_pitch_rad")
            }
        default: self = .unknown
        }
        if !isCertain(with: others) { self = .unknown }
    }

    private static func words(of name: String) -> [String] {
        name.split { $0 == "_" || $0 == " " || $0 == "-" || $0 == "[" || $0 == "]" || $0 == "(" || $0 == ")" }
            .map(String.init)
    }

    /// Whether the first word of a name is that of a coordinate, but another one is not known: `x_ned`.
    static func isUncertainCoordinate(_ header: String) -> Bool {
        guard TableColumn(header: header) == .unknown, let first = words(of: header.lowercased()).first else {
            return false
        }
        return [TableColumn.x, .y, .latitude, .longitude].contains(TableColumn(header: first))
    }

    private static let degrees: Set<String> = ["deg", "degree", "degrees", "°"]
    private static let radians: Set<String> = ["rad", "radian", "radians"]
    private static let angles = degrees.union(radians)
    private static let metres: Set<String> = ["m", "metre", "metres", "meter", "meters"]
    private static let seconds: Set<String> = ["s", "sec", "secs", "second", "seconds", "time"]
    /// Words behind a coordinate in metres, and behind one in degrees.
    private static let local = metres.union(["enu"])
    private static let global = degrees.union(["wgs84", "decimal"])

    /// Whether the words behind the first one of a name leave its content: `heading_accuracy_deg` is not a heading.
    private func isCertain(with others: Set<String>) -> Bool {
        switch self {
        case .x, .y, .z: others.isSubset(of: Self.local)
        case .latitude, .longitude: others.isSubset(of: Self.global)
        case .altitude:
            others.subtracting(Self.metres.union(["above"])).allSatisfy { PointAnnotations.reference($0) != nil }
                && Set(others.compactMap { PointAnnotations.reference($0) }).count <= 1
        case .heading: others.isSubset(of: Self.angles.union(["enu"]))
        case .cameraPitchDegrees, .annotation("camera_pitch_rad"):
            others.isSubset(of: Self.angles.union(["camera", "gimbal", "pitch"]))
        case .annotation("hold_s"): others.isSubset(of: Self.seconds)
        case .annotation("snapshot"): others.isEmpty
        case .annotation, .name, .unknown: true
        }
    }

    /// Columns without a header: `x, y`, `x, y, z` or `x, y, z, heading`.
    static func plain(_ count: Int) -> [TableColumn]? {
        (2...4).contains(count) ? Array([.x, .y, .z, .heading(isDegrees: nil)].prefix(count)) : nil
    }
}

/// Splits the lines of a table into cells.
enum TableLine {
    /// The separator, determined by the first line: semicolon, tab, comma or blank, in this order.
    static func separator(of line: String) -> Character {
        [";", "\t", ","].first { line.contains($0) } ?? " "
    }

    static func cells(_ line: String, separator: Character) -> [String] {
        guard separator == " " else { return quotedCells(line[...], separator: separator) }
        return line.split(separator: " ").map(String.init)
    }

    private static func quotedCells(_ line: Substring, separator: Character) -> [String] {
        guard line.contains("\"") else {
            return line.split(separator: separator, omittingEmptySubsequences: false).map { XMLText.trimmed($0) }
        }
        var cells: [String] = []
        var cell = ""
        var isQuoted = false
        var characters = Array(line)[...]
        while let character = characters.popFirst() {
            if character == "\"" {
                if isQuoted, characters.first == "\"" {
                    cell.append("\"")
                    characters.removeFirst()
                } else {
                    isQuoted.toggle()
                }
            } else if character == separator, !isQuoted {
                cells.append(XMLText.trimmed(cell))
                cell = ""
            } else {
                cell.append(character)
            }
        }
        return cells + [XMLText.trimmed(cell)]
    }
}
