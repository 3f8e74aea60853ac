public import ModeKit
public import RouteFiles

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
