/// Where the two sticks stand, as a hand moves them; each axis -1 to 1, right and up positive.
public struct StickPosition: Hashable, Sendable {
    /// The left stick, right positive.
    public var leftX: Double
    /// The left stick, up positive.
    public var leftY: Double
    /// The right stick, right positive.
    public var rightX: Double
    /// The right stick, up positive.
    public var rightY: Double

    /// A position; what is not a number counts as the middle, what lies outside -1...1 is cut.
    public init(leftX: Double = 0, leftY: Double = 0, rightX: Double = 0, rightY: Double = 0) {
        self.leftX = Self.cut(leftX)
        self.leftY = Self.cut(leftY)
        self.rightX = Self.cut(rightX)
        self.rightY = Self.cut(rightY)
    }

    /// Both sticks in the middle.
    public static let neutral = Self()

    static func cut(_ value: Double) -> Double { value.isFinite ? min(max(value, -1), 1) : 0 }
}

/// What the sticks ask for, as shares of the speed limits, each -1 to 1; the same for every layout.
public struct Deflection: Hashable, Sendable {
    /// Turning, clockwise (to the right) positive.
    public var turn: Double
    /// Climbing positive.
    public var climb: Double
    /// To the right positive.
    public var right: Double
    /// Forward positive.
    public var forward: Double

    /// A deflection; what is not a number counts as none, what lies outside -1...1 is cut.
    public init(turn: Double = 0, climb: Double = 0, right: Double = 0, forward: Double = 0) {
        self.turn = StickPosition.cut(turn)
        self.climb = StickPosition.cut(climb)
        self.right = StickPosition.cut(right)
        self.forward = StickPosition.cut(forward)
    }

    /// None.
    public static let neutral = Self()
}
