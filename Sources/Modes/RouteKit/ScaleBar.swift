/// A scale bar, drawn in a corner of the map.
public struct ScaleBar: Hashable, Sendable {
    /// The length in the world, metres.
    public var metres: Double
    /// The length as text: `50 m`, `2 km`.
    public var label: String

    /// Creates a scale bar.
    public init(metres: Double, label: String) {
        self.metres = metres
        self.label = label
    }
}
