public import RouteFiles

/// A place on the map: metres east and north in `world_origin`.
public struct MapPlace: Hashable, Sendable {
    /// Metres to the east.
    public var east: Double
    /// Metres to the north.
    public var north: Double

    /// A place.
    public init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }
}

/// Which part of the world is shown: north is up, and a row stands for twice as many metres as a column does.
public struct MapViewport: Hashable, Sendable {
    /// What is in the middle.
    public var centre: MapPlace
    /// Metres that a column is wide.
    public var metresPerColumn: Double
    /// Metres that a row is high.
    public var metresPerRow: Double { 2 * metresPerColumn }

    /// The finest scale: a braille dot is a quarter of a centimetre wide.
    public static let finest = 0.005
    /// The coarsest: eighty columns are eighty times ten kilometres.
    public static let coarsest = 10_000.0

    /// A part of the world.
    public init(centre: MapPlace, metresPerColumn: Double) {
        self.centre = centre
        self.metresPerColumn = min(max(metresPerColumn, Self.finest), Self.coarsest)
    }
}

/// A point of the route on the map.
public struct MapPoint: Hashable, Sendable {
    /// Where it is.
    public var place: MapPlace
    /// Metres above `world_origin`.
    public var z: Double
    /// What stands beside it: its number, from 1.
    public var label: String
    /// Whether it is the chosen one.
    public var isSelected: Bool
    /// Whether the vehicle stays there for a while.
    public var holds: Bool
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool
    /// Where the nose points there, ENU radians, when the point says so by itself.
    public var headingRadians: Double?
    /// Whether a check failed there or on the way from it.
    public var hasFinding: Bool

    /// A point.
    public init(
        place: MapPlace, z: Double, label: String, isSelected: Bool = false, holds: Bool = false,
        takesSnapshot: Bool = false, headingRadians: Double? = nil, hasFinding: Bool = false
    ) {
        self.place = place
        self.z = z
        self.label = label
        self.isSelected = isSelected
        self.holds = holds
        self.takesSnapshot = takesSnapshot
        self.headingRadians = headingRadians
        self.hasFinding = hasFinding
    }
}

/// A vehicle on the map.
public struct MapVehicle: Hashable, Sendable {
    /// Where it is.
    public var place: MapPlace
    /// ENU radians.
    public var headingRadians: Double
    /// Where it was in the last minute, the oldest first.
    public var trail: [MapPlace]
    /// What a person calls it.
    public var title: String
    /// Whether it is the one that is commanded.
    public var isSelected: Bool
    /// Whether its place is older than it should be.
    public var isOld: Bool

    /// A vehicle.
    public init(
        place: MapPlace, headingRadians: Double, trail: [MapPlace] = [], title: String, isSelected: Bool,
        isOld: Bool = false
    ) {
        self.place = place
        self.headingRadians = headingRadians
        self.trail = trail
        self.title = title
        self.isSelected = isSelected
        self.isOld = isOld
    }
}

/// A line or area of the background.
public struct MapShape: Hashable, Sendable {
    /// What it is.
    public var kind: MapFeature.Kind
    /// Whether it closes around an area.
    public var isArea: Bool
    /// Its corners in order; one alone is a place.
    public var corners: [MapPlace]
    /// What it is called; made harmless.
    public var name: String

    /// A shape.
    public init(kind: MapFeature.Kind, isArea: Bool, corners: [MapPlace], name: String = "") {
        self.kind = kind
        self.isArea = isArea
        self.corners = corners
        self.name = name
    }
}

/// A line of the grid over the map.
public struct MapGridLine: Hashable, Sendable {
    /// Where it begins.
    public var from: MapPlace
    /// Where it ends.
    public var to: MapPlace
    /// What it stands for: `49.3600 N`, or `100 m`.
    public var label: String

    /// A line.
    public init(from: MapPlace, to: MapPlace, label: String) {
        self.from = from
        self.to = to
        self.label = label
    }
}

/// A length to compare with, drawn in a corner.
public struct MapScaleBar: Hashable, Sendable {
    /// How long it is in the world, metres.
    public var metres: Double
    /// The same for people: `50 m`, `2 km`.
    public var label: String

    /// A length.
    public init(metres: Double, label: String) {
        self.metres = metres
        self.label = label
    }
}

/// A finding of the checks, as the map lists it.
public struct MapFindingLine: Hashable, Sendable {
    /// One line.
    public var text: String
    /// Whether it keeps the trajectory from being sent; a warning otherwise.
    public var isFailure: Bool
    /// Where it is; absent where it is about the whole.
    public var place: MapPlace?

    /// A finding.
    public init(text: String, isFailure: Bool, place: MapPlace? = nil) {
        self.text = text
        self.isFailure = isFailure
        self.place = place
    }
}

/// A figure with its name.
public struct MapFact: Hashable, Sendable {
    /// What it is.
    public var label: String
    /// Its value with the unit.
    public var value: String
    /// Whether it deserves a look.
    public var isWarning: Bool

    /// A figure.
    public init(_ label: String, _ value: String, isWarning: Bool = false) {
        self.label = label
        self.value = value
        self.isWarning = isWarning
    }
}
