/// Bounds of a YAML text; parsing fails with ``YAMLError/Code/tooLarge`` if one is exceeded.
package struct YAMLLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    package var bytes: Int
    /// Nesting depth.
    package var depth: Int
    /// Values in all documents together; those repeated by aliases count each time.
    package var nodes: Int

    /// Creates limits; the defaults are far above any configuration, world file or service reply seen (the largest
    /// world file of a real vehicle has some 100 values) and small enough to parse in well under a second.
    package init(bytes: Int = 4 << 20, depth: Int = 64, nodes: Int = 500_000) {
        self.bytes = bytes
        self.depth = depth
        self.nodes = nodes
    }
}
