internal import UAVLink

/// A message for the user, for the message line of every screen.
package struct Notice: Hashable, Sendable {
    /// The severity.
    package enum Weight: Hashable, Sendable { case information, success, warning, error }

    /// The severity.
    package var weight: Weight
    /// The text; sanitized.
    package var text: String

    /// Makes a notice; foreign text may be passed unchanged.
    package init(_ weight: Weight, _ text: String) {
        self.weight = weight
        self.text = text.sanitizedLine
    }
}
