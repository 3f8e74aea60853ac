public import ModeKit

/// A point of the route on the map.
public struct RouteMarker: Hashable, Sendable {
    /// Where it is.
    public var place: MapPlace
    /// Metres above `world_origin`.
    public var z: Double
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
