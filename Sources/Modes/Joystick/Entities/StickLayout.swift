/// The assignment of stick axes, by the mode numbers of radio control.
///
/// ```
///            left: across / up      right: across / up
///   mode 1   turn   forward         right  climb
///   mode 2   turn   climb           right  forward      (the default)
///   mode 3   right  forward         turn   climb
///   mode 4   right  climb           turn   forward
/// ```
package enum StickLayout: Int, Hashable, Sendable, CaseIterable {
    case mode1 = 1
    case mode2, mode3, mode4

    /// Whether turning is on the left stick.
    private var turnsLeft: Bool { self == .mode1 || self == .mode2 }
    /// Whether climbing is on the left stick.
    private var climbsLeft: Bool { self == .mode2 || self == .mode4 }

    /// The deflection for a stick position.
    package func deflection(of sticks: StickPosition) -> Deflection {
        Deflection(
            turn: turnsLeft ? sticks.leftX : sticks.rightX, climb: climbsLeft ? sticks.leftY : sticks.rightY,
            right: turnsLeft ? sticks.rightX : sticks.leftX, forward: climbsLeft ? sticks.rightY : sticks.leftY)
    }

    /// The stick position for a deflection.
    package func position(of requested: Deflection) -> StickPosition {
        StickPosition(
            leftX: turnsLeft ? requested.turn : requested.right,
            leftY: climbsLeft ? requested.climb : requested.forward,
            rightX: turnsLeft ? requested.right : requested.turn,
            rightY: climbsLeft ? requested.forward : requested.climb)
    }

    /// Labels of the left stick's axes.
    package var leftLabels: (across: String, up: String) {
        (turnsLeft ? "turn" : "right", climbsLeft ? "climb" : "forward")
    }

    /// Labels of the right stick's axes.
    package var rightLabels: (across: String, up: String) {
        (turnsLeft ? "right" : "turn", climbsLeft ? "forward" : "climb")
    }

    /// The next layout; after the last, the first.
    package var next: Self { Self(rawValue: rawValue % 4 + 1) ?? .mode2 }
}
