/// A key that moves the vehicle.
package struct StickKey: Hashable, Sendable {
    /// The direction of motion.
    package enum Move: Hashable, Sendable, CaseIterable {
        case forward, back, left, right, turnLeft, turnRight, climb, descend

        package var opposite: Move {
            switch self {
            case .forward: .back
            case .back: .forward
            case .left: .right
            case .right: .left
            case .turnLeft: .turnRight
            case .turnRight: .turnLeft
            case .climb: .descend
            case .descend: .climb
            }
        }

        /// Full deflection in this direction.
        var deflection: Deflection {
            switch self {
            case .forward: Deflection(forward: 1)
            case .back: Deflection(forward: -1)
            case .left: Deflection(right: -1)
            case .right: Deflection(right: 1)
            case .turnLeft: Deflection(turn: -1)
            case .turnRight: Deflection(turn: 1)
            case .climb: Deflection(climb: 1)
            case .descend: Deflection(climb: -1)
            }
        }
    }

    /// The key on the keyboard: several keys move the same way, and each is released on its own.
    package var name: String
    /// The direction of motion.
    package var move: Move

    package init(_ name: String, _ move: Move) {
        self.name = name
        self.move = move
    }
}

extension Deflection {
    /// The sum, each axis clamped to full stick: opposite keys cancel each other.
    static func + (left: Self, right: Self) -> Self {
        Deflection(
            turn: left.turn + right.turn, climb: left.climb + right.climb, right: left.right + right.right,
            forward: left.forward + right.forward)
    }
}
