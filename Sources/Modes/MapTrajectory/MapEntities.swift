public import ModeKit
public import RouteFiles

/// The visible part of the world: north is up, and a row covers twice as many metres as a column.
public struct MapViewport: Hashable, Sendable {
    /// The position in the centre.
    public var centre: MapPlace
    /// The width of a column, metres.
    public var metresPerColumn: Double
    /// The height of a row, metres.
    public var metresPerRow: Double { 2 * metresPerColumn }

    /// The finest scale: a braille dot is a quarter of a centimetre wide.
    public static let finest = 0.005
    /// The coarsest scale: eighty columns are 800 km.
    public static let coarsest = 10_000.0

    /// A viewport; the scale is clamped to ``finest`` and ``coarsest``.
    public init(centre: MapPlace, metresPerColumn: Double) {
        self.centre = centre
        self.metresPerColumn = min(max(metresPerColumn, Self.finest), Self.coarsest)
    }
}

/// A vehicle on the map.
public struct MapVehicle: Hashable, Sendable {
    /// Its position.
    public var place: MapPlace
    /// ENU radians.
    public var headingRadians: Double
    /// Positions in the last minute, oldest first.
    public var trail: [MapPlace]
    /// Its title.
    public var title: String
    /// Whether it is the selected vehicle.
    public var isSelected: Bool
    /// Whether its position is stale.
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
    /// The kind of feature.
    public var kind: MapFeature.Kind
    /// Whether it is a closed area.
    public var isArea: Bool
    /// Its corners in order; a single one is a point feature.
    public var corners: [MapPlace]
    /// Its name, sanitized.
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
    /// The start.
    public var from: MapPlace
    /// The end.
    public var to: MapPlace
    /// The label: `49.3600 N`, or `100 m`.
    public var label: String

    /// A line.
    public init(from: MapPlace, to: MapPlace, label: String) {
        self.from = from
        self.to = to
        self.label = label
    }
}
