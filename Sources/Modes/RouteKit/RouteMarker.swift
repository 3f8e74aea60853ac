public import ModeKit
public import UAVLink

/// A point of the route on the map.
public struct RouteMarker: Hashable, Sendable {
    /// Metres in `world_origin`.
    public var position: Vector3
    /// The label: its number, from 1.
    public var label: String
    /// Whether it is selected.
    public var isSelected: Bool
    /// Whether the vehicle holds there for a time.
    public var holds: Bool
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool
    /// The fixed heading at the point, ENU radians; `nil` for other heading rules.
    public var headingRadians: Double?
    /// Whether a finding concerns the point, or the leg after it.
    public var hasFinding: Bool

    /// Creates a point.
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

    /// The horizontal position.
    public var place: MapPlace { MapPlace(east: position.x, north: position.y) }
}
