public import Geodesy

/// What lies around: roads, buildings, water and the like, to draw behind a flight.
public struct MapFeatures: Hashable, Sendable {
    /// The features in the order of the file.
    public var features: [MapFeature]
    /// What was left out: lines for people to read, free of control characters.
    public var notes: [String]

    /// Features beyond this are an error.
    public static let maximumFeatures = 500_000
    /// Corners of all features together beyond this are an error.
    public static let maximumCorners = 3_000_000

    /// A background.
    public init(features: [MapFeature] = [], notes: [String] = []) {
        self.features = features
        self.notes = notes
    }

    /// The rectangle around all of them; `nil` when there are none. It does not know of the date line.
    public var bounds: (southWest: GeographicCoordinate, northEast: GeographicCoordinate)? {
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
public struct MapFeature: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A road for cars.
        case road
        /// A path, track or way for people.
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
        /// A line or pole that carries power: what a flight must know.
        case power
        /// A tower, mast or chimney.
        case tower
        /// Anything else.
        case other
    }

    /// What it is.
    public var kind: Kind
    /// Whether the line closes around an area.
    public var isArea: Bool
    /// The corners in order; one alone is a place.
    public var places: [GeographicCoordinate]
    /// What it is called; text from a file.
    public var name: String

    /// A feature.
    public init(kind: Kind, isArea: Bool, places: [GeographicCoordinate], name: String = "") {
        self.kind = kind
        self.isArea = isArea
        self.places = places
        self.name = name
    }
}

extension MapFeature.Kind {
    /// What OpenStreetMap's tags say, in GeoJSON made of it too.
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
