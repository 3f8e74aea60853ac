internal import UAVLink

/// A message for the user, for the message line of every screen.
public struct Notice: Hashable, Sendable {
    /// The severity.
    public enum Weight: Hashable, Sendable { case information, success, warning, error }

    /// The severity.
    public var weight: Weight
    /// The text; sanitized.
    public var text: String

    /// Makes a notice; foreign text may be passed unchanged.
    public init(_ weight: Weight, _ text: String) {
        self.weight = weight
        self.text = text.sanitizedLine
    }
}
