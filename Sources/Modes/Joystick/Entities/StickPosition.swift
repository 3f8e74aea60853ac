/// The position of both sticks; each axis -1 to 1, right and up positive.
public struct StickPosition: Hashable, Sendable {
    /// The left stick, right positive.
    public var leftX: Double
    /// The left stick, up positive.
    public var leftY: Double
    /// The right stick, right positive.
    public var rightX: Double
    /// The right stick, up positive.
    public var rightY: Double

    /// A position; a value that is not finite becomes 0, others are clamped to -1...1.
    public init(leftX: Double = 0, leftY: Double = 0, rightX: Double = 0, rightY: Double = 0) {
        self.leftX = Self.cut(leftX)
        self.leftY = Self.cut(leftY)
        self.rightX = Self.cut(rightX)
        self.rightY = Self.cut(rightY)
    }

    /// Both sticks centred.
    public static let neutral = Self()

    static func cut(_ value: Double) -> Double { value.isFinite ? min(max(value, -1), 1) : 0 }
}

/// The requested motion as fractions of the speed limits, each -1 to 1; independent of the stick layout.
public struct Deflection: Hashable, Sendable {
    /// Turning, clockwise (to the right) positive.
    public var turn: Double
    /// Climbing positive.
    public var climb: Double
    /// To the right positive.
    public var right: Double
    /// Forward positive.
    public var forward: Double

    /// A deflection; a value that is not finite becomes 0, others are clamped to -1...1.
    public init(turn: Double = 0, climb: Double = 0, right: Double = 0, forward: Double = 0) {
        self.turn = StickPosition.cut(turn)
        self.climb = StickPosition.cut(climb)
        self.right = StickPosition.cut(right)
        self.forward = StickPosition.cut(forward)
    }

    /// No deflection.
    public static let neutral = Self()
}
