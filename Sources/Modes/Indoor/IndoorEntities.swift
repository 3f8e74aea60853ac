public import PointCloud
public import UAVLink

/// A map as the screen has it. Two are the same when they were loaded at the same time: points are not compared.
public struct IndoorPicture: Hashable, Sendable {
    /// Numbers maps in the order in which they were loaded.
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
    /// By its number.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// From where the map is looked at.
public enum IndoorViewKind: String, Hashable, Sendable, CaseIterable {
    /// From above: x to the right, y up, before it is turned.
    case above
    /// From the side: z up.
    case side
    /// In between.
    case free
}

/// A point of the route in the map.
public struct IndoorPoint: Hashable, Sendable {
    /// Metres in `world_origin`.
    public var position: Vector3
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
        position: Vector3, label: String, isSelected: Bool = false, holds: Bool = false, takesSnapshot: Bool = false,
        headingRadians: Double? = nil, hasFinding: Bool = false
    ) {
        self.position = position
        self.label = label
        self.isSelected = isSelected
        self.holds = holds
        self.takesSnapshot = takesSnapshot
        self.headingRadians = headingRadians
        self.hasFinding = hasFinding
    }
}

/// The vehicle in the map.
public struct IndoorVehicle: Hashable, Sendable {
    /// Metres in `world_origin`.
    public var position: Vector3
    /// ENU radians.
    public var headingRadians: Double
    /// Whether its place is older than it should be.
    public var isOld: Bool

    /// A vehicle.
    public init(position: Vector3, headingRadians: Double, isOld: Bool = false) {
        self.position = position
        self.headingRadians = headingRadians
        self.isOld = isOld
    }
}

/// A question that waits for a line of text.
public struct IndoorPrompt: Hashable, Sendable {
    /// What can be asked for.
    public enum Kind: Hashable, Sendable {
        /// The chosen point's z.
        case altitude
        /// Where the nose points at the chosen point: degrees, `path`, or `to X Y`.
        case heading
        /// How long the vehicle stays at the chosen point.
        case hold
        /// Where the camera looks at the chosen point.
        case cameraPitch
        /// The speed that is not exceeded.
        case speed
        /// How far corners may be cut, `straight` for not at all.
        case deviation
        /// A map file to open.
        case open
        /// A file to write the map to.
        case save
        /// Which of the vehicle's maps is fetched.
        case topic
        /// How many layers.
        case layers
        /// No two points of the map nearer than this.
        case spacing
        /// How large the vehicle is, and the margin around it.
        case body
        /// So far around the start everything is free.
        case freeStart
    }

    /// What is asked for.
    public var kind: Kind
    /// The question.
    public var title: String
    /// What stands in the line at first, or after it was completed.
    public var text: String
    /// What can be typed, as an example.
    public var hint: String
    /// What was wrong with the last answer, or what it could go on with; empty when nothing.
    public var note: String
    /// Counts what was put into the line from here, so that the screen knows when to take it over.
    public var revision: Int

    /// A question.
    public init(
        _ kind: Kind, title: String, text: String = "", hint: String = "", note: String = "", revision: Int = 0
    ) {
        self.kind = kind
        self.title = title
        self.text = text
        self.hint = hint
        self.note = note
        self.revision = revision
    }
}

/// Long work under way.
public struct IndoorWorkLine: Hashable, Sendable {
    /// What is done: `reading room.pcd`.
    public var text: String
    /// How much of it, 0 to 1.
    public var fraction: Double

    /// Long work.
    public init(text: String, fraction: Double) {
        self.text = text
        self.fraction = fraction
    }
}
