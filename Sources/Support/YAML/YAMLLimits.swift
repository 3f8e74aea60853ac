/// How much a YAML text may hold; reading stops with ``YAMLError/Code/tooLarge`` one past any of these.
public struct YAMLLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    public var bytes: Int
    /// Values inside values.
    public var depth: Int
    /// Values in all documents together, those that aliases repeat counted each time.
    public var nodes: Int

    /// The limits; the defaults are far above any configuration, world file or service reply seen (the largest world
    /// file of a real vehicle has some 100 values) and small enough to read in well under a second.
    public init(bytes: Int = 4 << 20, depth: Int = 64, nodes: Int = 500_000) {
        self.bytes = bytes
        self.depth = depth
        self.nodes = nodes
    }
}
