/// The position of both sticks; each axis -1 to 1, right and up positive.
package struct StickPosition: Hashable, Sendable {
    /// The left stick, right positive.
    package var leftX: Double
    /// The left stick, up positive.
    package var leftY: Double
    /// The right stick, right positive.
    package var rightX: Double
    /// The right stick, up positive.
    package var rightY: Double

    /// A position; a value that is not finite becomes 0, others are clamped to -1...1.
    package init(leftX: Double = 0, leftY: Double = 0, rightX: Double = 0, rightY: Double = 0) {
        self.leftX = Self.cut(leftX)
        self.leftY = Self.cut(leftY)
        self.rightX = Self.cut(rightX)
        self.rightY = Self.cut(rightY)
    }

    /// Both sticks centred.
    package static let neutral = Self()

    static func cut(_ value: Double) -> Double { value.isFinite ? min(max(value, -1), 1) : 0 }
}

/// The requested motion as fractions of the speed limits, each -1 to 1; independent of the stick layout.
package struct Deflection: Hashable, Sendable {
    /// Turning, clockwise (to the right) positive.
    package var turn: Double
    /// Climbing positive.
    package var climb: Double
    /// To the right positive.
    package var right: Double
    /// Forward positive.
    package var forward: Double

    /// A deflection; a value that is not finite becomes 0, others are clamped to -1...1.
    package init(turn: Double = 0, climb: Double = 0, right: Double = 0, forward: Double = 0) {
        self.turn = StickPosition.cut(turn)
        self.climb = StickPosition.cut(climb)
        self.right = StickPosition.cut(right)
        self.forward = StickPosition.cut(forward)
    }

    /// No deflection.
    package static let neutral = Self()
}
