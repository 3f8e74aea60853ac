/// Which stick does what, by the numbers that pilots of radio-controlled aircraft use.
///
/// ```
///            left: across / up      right: across / up
///   mode 1   turn   forward         right  climb
///   mode 2   turn   climb           right  forward      (the seed's, and the default)
///   mode 3   right  forward         turn   climb
///   mode 4   right  climb           turn   forward
/// ```
public enum StickLayout: Int, Hashable, Sendable, CaseIterable {
    case mode1 = 1
    case mode2, mode3, mode4

    /// Whether turning is on the left stick.
    private var turnsLeft: Bool { self == .mode1 || self == .mode2 }
    /// Whether climbing is on the left stick.
    private var climbsLeft: Bool { self == .mode2 || self == .mode4 }

    /// What a position of the sticks asks for.
    public func deflection(of sticks: StickPosition) -> Deflection {
        Deflection(
            turn: turnsLeft ? sticks.leftX : sticks.rightX, climb: climbsLeft ? sticks.leftY : sticks.rightY,
            right: turnsLeft ? sticks.rightX : sticks.leftX, forward: climbsLeft ? sticks.rightY : sticks.leftY)
    }

    /// Where the sticks stand when they ask for this.
    public func position(of wish: Deflection) -> StickPosition {
        StickPosition(
            leftX: turnsLeft ? wish.turn : wish.right, leftY: climbsLeft ? wish.climb : wish.forward,
            rightX: turnsLeft ? wish.right : wish.turn, rightY: climbsLeft ? wish.forward : wish.climb)
    }

    /// What the left stick does across and up, in words.
    public var leftWords: (across: String, up: String) {
        (turnsLeft ? "turn" : "right", climbsLeft ? "climb" : "forward")
    }

    /// What the right stick does across and up, in words.
    public var rightWords: (across: String, up: String) {
        (turnsLeft ? "right" : "turn", climbsLeft ? "forward" : "climb")
    }

    /// The next one; after the last the first.
    public var next: Self { Self(rawValue: rawValue % 4 + 1) ?? .mode2 }
}
