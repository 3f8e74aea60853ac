internal import UAVLink

/// One line for the person, in the line that every screen has.
public struct Notice: Hashable, Sendable {
    /// How much it matters.
    public enum Weight: Hashable, Sendable { case information, success, warning, error }

    /// How much it matters.
    public var weight: Weight
    /// The line; made harmless.
    public var text: String

    /// A line; text from a vehicle or a host may be passed as it came.
    public init(_ weight: Weight, _ text: String) {
        self.weight = weight
        self.text = text.harmlessLine
    }
}
