package import ModeKit
package import PointCloud
package import UAVLink

/// A map as it is drawn. Equality compares only ``id``, not the points.
package struct PlacedIndoorMap: Hashable, Sendable {
    /// Identifies a loaded map at one place of the world.
    package let id: Int
    /// The points in layers, metres in `world_origin`.
    package let layers: HeightLayers

    package init(id: Int, layers: HeightLayers) {
        self.id = id
        self.layers = layers
    }

    /// Whether it is the same map.
    package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// Hashes the number.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How the map is viewed.
package enum IndoorViewKind: String, Hashable, Sendable, CaseIterable {
    /// From above: x to the right, y up, unless rotated.
    case above
    /// From the side: z up.
    case side
    /// In between.
    case free
}

/// The vehicle in the map.
package struct IndoorVehicle: Hashable, Sendable {
    /// Metres in `world_origin`.
    package var position: Vector3
    /// ENU radians.
    package var headingRadians: Double
    /// Whether its position is stale.
    package var isOld: Bool

    package init(position: Vector3, headingRadians: Double, isOld: Bool = false) {
        self.position = position
        self.headingRadians = headingRadians
        self.isOld = isOld
    }
}

/// A prompt of the indoor mode.
package typealias IndoorPrompt = Prompt<IndoorPromptKind>

/// What a prompt asks for.
package enum IndoorPromptKind: PromptKind {
    /// The selected point's z.
    case altitude
    /// The heading at the selected point: degrees, `path`, or `to X Y`.
    case heading
    /// The hold time at the selected point.
    case hold
    /// The camera pitch at the selected point.
    case cameraPitch
    /// The maximum speed.
    case speed
    /// How far the path may deviate at corners; `straight` for not at all.
    case deviation
    /// A map file to open.
    case open
    /// A file to write the map to.
    case save
    /// The topic of the map to fetch.
    case topic
    /// A file of points to open.
    case openPoints
    /// A file to write the points to.
    case savePoints
    /// The number of layers.
    case layers
    /// The minimum distance between two points of the map.
    case spacing
    /// The vehicle's radius and the margin around it.
    case body
    /// The radius around the start in which all space counts as free.
    case freeStart
    /// Whether unobserved space counts as free or as blocked.
    case unknownSpace
    /// Whether the path leads around the obstacles of the map, or straight from point to point.
    case obstacles
    /// A world file; `auto` for that of the profile or the vehicle.
    case world

    /// Files, folders and topics are completed.
    package var completes: Bool {
        switch self {
        case .open, .save, .topic, .openPoints, .savePoints, .world: true
        default: false
        }
    }
}

/// Long work in progress.
package struct IndoorProgressLine: Hashable, Sendable {
    /// The work: `reading room.pcd`.
    package var text: String
    /// Progress, 0 to 1.
    package var fraction: Double

    /// Long work.
    package init(text: String, fraction: Double) {
        self.text = text
        self.fraction = fraction
    }
}
