public import ModeKit
public import PointCloud
public import UAVLink

/// A map as it is drawn. Equality compares only ``id``, not the points.
public struct PlacedIndoorMap: Hashable, Sendable {
    /// Identifies a loaded map at one place of the world.
    public let id: Int
    /// The points in layers, metres in `world_origin`.
    public let layers: HeightLayers

    /// A map.
    public init(id: Int, layers: HeightLayers) {
        self.id = id
        self.layers = layers
    }

    /// Whether it is the same map.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How the map is viewed.
public enum IndoorViewKind: String, Hashable, Sendable, CaseIterable {
    /// From above: x to the right, y up, unless rotated.
    case above
    /// From the side: z up.
    case side
    /// In between.
    case free
}

/// The vehicle in the map.
public struct IndoorVehicle: Hashable, Sendable {
    /// Metres in `world_origin`.
    public var position: Vector3
    /// ENU radians.
    public var headingRadians: Double
    /// Whether its position is stale.
    public var isOld: Bool

    /// A vehicle.
    public init(position: Vector3, headingRadians: Double, isOld: Bool = false) {
        self.position = position
        self.headingRadians = headingRadians
        self.isOld = isOld
    }
}

/// A prompt of the indoor mode.
public typealias IndoorPrompt = Prompt<IndoorPromptKind>

/// What a prompt asks for.
public enum IndoorPromptKind: PromptKind {
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
    /// The number of layers.
    case layers
    /// The minimum distance between two points of the map.
    case spacing
    /// The vehicle's radius and the margin around it.
    case body
    /// The radius around the start in which all space counts as free.
    case freeStart

    /// Files, folders and topics are completed.
    public var completes: Bool { true }
}

/// Long work in progress.
public struct IndoorProgressLine: Hashable, Sendable {
    /// The work: `reading room.pcd`.
    public var text: String
    /// Progress, 0 to 1.
    public var fraction: Double

    /// Long work.
    public init(text: String, fraction: Double) {
        self.text = text
        self.fraction = fraction
    }
}
