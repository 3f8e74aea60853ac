public import ModeKit

/// A point of the route on the map.
public struct RouteMarker: Hashable, Sendable {
    /// The horizontal position.
    public var place: MapPlace
    /// Metres above `world_origin`.
    public var z: Double
    /// The label: its number, from 1.
    public var label: String
    /// Whether it is selected.
    public var isSelected: Bool
    /// Whether the vehicle holds there for a time.
    public var holds: Bool
    /// Whether a snapshot is taken there.
    public var takesSnapshot: Bool
    /// The point's own heading, ENU radians; `nil` when it has none.
    public var headingRadians: Double?
    /// Whether a check failed at the point or on the leg after it.
    public var hasFinding: Bool

    /// Creates a point.
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
