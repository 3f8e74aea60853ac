package import Geodesy

/// A map background: roads, buildings, water and the like.
package struct MapFeatures: Hashable, Sendable {
    /// The features in the order of the file.
    package var features: [MapFeature]
    /// What was left out: lines for display, without control characters.
    package var notes: [String]

    /// Largest number of features; more are an error.
    package static let maximumFeatures = 500_000
    /// Largest number of corners of all features together; more are an error.
    package static let maximumCorners = 3_000_000

    package init(features: [MapFeature] = [], notes: [String] = []) {
        self.features = features
        self.notes = notes
    }

    /// The bounding rectangle of all features; `nil` when there are none. It ignores the antimeridian.
    package var bounds: (southWest: GeographicCoordinate, northEast: GeographicCoordinate)? {
        guard let first = features.first?.places.first else { return nil }
        var (low, high) = (first, first)
        for place in features.lazy.flatMap(\.places) {
            low.latitudeDegrees = min(low.latitudeDegrees, place.latitudeDegrees)
            low.longitudeDegrees = min(low.longitudeDegrees, place.longitudeDegrees)
            high.latitudeDegrees = max(high.latitudeDegrees, place.latitudeDegrees)
            high.longitudeDegrees = max(high.longitudeDegrees, place.longitudeDegrees)
        }
        return (low, high)
    }
}

/// One line, area or place of a background.
package struct MapFeature: Hashable, Sendable {
    /// The kind of a feature.
    package enum Kind: String, Sendable, CaseIterable {
        /// A road for cars.
        case road
        /// A path, track or footway.
        case path
        /// Rails.
        case railway
        /// A building.
        case building
        /// A river, lake or pond.
        case water
        /// Trees.
        case woodland
        /// Fields, meadows and other open ground.
        case field
        /// A wall, fence or hedge.
        case barrier
        /// A power line or pole: relevant to a flight.
        case power
        /// A tower, mast or chimney.
        case tower
        /// Anything else.
        case other
    }

    package var kind: Kind
    /// Whether the line is the outline of an area.
    package var isArea: Bool
    /// The corners in order; a single one is a point feature.
    package var places: [GeographicCoordinate]
    /// Its name; text from a file.
    package var name: String

    package init(kind: Kind, isArea: Bool, places: [GeographicCoordinate], name: String = "") {
        self.kind = kind
        self.isArea = isArea
        self.places = places
        self.name = name
    }
}

extension MapFeature.Kind {
    /// The kind by OpenStreetMap's tags, also in GeoJSON converted from it; else by `kind`.
    init(tags: (String) -> String?) {
        if let highway = tags("highway") {
            let paths: Set<String> = ["path", "footway", "cycleway", "track", "steps", "bridleway", "pedestrian"]
            self = paths.contains(highway) ? .path : .road
        } else if tags("railway") != nil {
            self = .railway
        } else if let building = tags("building"), building != "no" {
            self = .building
        } else if tags("waterway") != nil || tags("natural") == "water" || tags("water") != nil {
            self = .water
        } else if tags("natural") == "wood" || tags("landuse") == "forest" || tags("natural") == "tree_row" {
            self = .woodland
        } else if tags("power") != nil {
            self = .power
        } else if let made = tags("man_made"), ["tower", "mast", "chimney", "water_tower"].contains(made) {
            self = .tower
        } else if tags("barrier") != nil {
            self = .barrier
        } else if tags("landuse") != nil || tags("leisure") != nil {
            self = .field
        } else {
            self = tags("kind").flatMap(Self.init(rawValue:)) ?? .other
        }
    }
}
