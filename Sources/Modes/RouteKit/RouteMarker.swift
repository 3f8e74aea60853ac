package import ModeKit
package import UAVLink

/// A point of the route on the map.
package struct RouteMarker: Hashable, Sendable {
    /// Metres in `world_origin`.
    package var position: Vector3
    /// The label: its number, from 1.
    package var label: String
    /// Whether it is selected.
    package var isSelected: Bool
    /// Whether the vehicle holds there for a time.
    package var holds: Bool
    /// Whether a snapshot is taken there.
    package var takesSnapshot: Bool
    /// The fixed heading at the point, ENU radians; `nil` for other heading rules.
    package var headingRadians: Double?
    /// Whether a finding concerns the point, or the leg after it.
    package var hasFinding: Bool

    package init(
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
    package var place: MapPlace { MapPlace(east: position.x, north: position.y) }
}
