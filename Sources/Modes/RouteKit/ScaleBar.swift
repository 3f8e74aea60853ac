/// A length to compare with, drawn in a corner.
public struct ScaleBar: Hashable, Sendable {
    /// How long it is in the world, metres.
    public var metres: Double
    /// The same for people: `50 m`, `2 km`.
    public var label: String

    /// A length.
    public init(metres: Double, label: String) {
        self.metres = metres
        self.label = label
    }
}
