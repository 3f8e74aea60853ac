package import ModeKit
package import RouteFiles

/// The visible part of the world: north is up, and a row covers twice as many metres as a column.
package struct MapViewport: Hashable, Sendable {
    /// The position in the centre.
    package var centre: MapPlace
    /// The width of a column, metres.
    package var metresPerColumn: Double
    /// The height of a row, metres.
    package var metresPerRow: Double { 2 * metresPerColumn }

    /// The finest scale: a braille dot is a quarter of a centimetre wide.
    package static let finest = 0.005
    /// The coarsest scale: eighty columns are 800 km.
    package static let coarsest = 10_000.0

    /// A viewport; the scale is clamped to ``finest`` and ``coarsest``.
    package init(centre: MapPlace, metresPerColumn: Double) {
        self.centre = centre
        self.metresPerColumn = min(max(metresPerColumn, Self.finest), Self.coarsest)
    }
}

/// A vehicle on the map.
package struct MapVehicle: Hashable, Sendable {
    /// Its position.
    package var place: MapPlace
    /// ENU radians.
    package var headingRadians: Double
    /// Positions in the last minute, oldest first.
    package var trail: [MapPlace]
    package var title: String
    /// Whether it is the selected vehicle.
    package var isSelected: Bool
    /// Whether its position is stale.
    package var isOld: Bool

    package init(
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
package struct MapShape: Hashable, Sendable {
    package var kind: MapFeature.Kind
    /// Whether it is a closed area.
    package var isArea: Bool
    /// Its corners in order; a single one is a point feature.
    package var corners: [MapPlace]
    /// Its name, sanitized.
    package var name: String

    package init(kind: MapFeature.Kind, isArea: Bool, corners: [MapPlace], name: String = "") {
        self.kind = kind
        self.isArea = isArea
        self.corners = corners
        self.name = name
    }
}

/// A line of the grid over the map.
package struct MapGridLine: Hashable, Sendable {
    /// The start.
    package var from: MapPlace
    /// The end.
    package var to: MapPlace
    /// The label: `49.3600 N`, or `100 m`.
    package var label: String

    package init(from: MapPlace, to: MapPlace, label: String) {
        self.from = from
        self.to = to
        self.label = label
    }
}
