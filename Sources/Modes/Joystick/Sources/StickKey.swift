/// A key that moves the vehicle.
public struct StickKey: Hashable, Sendable {
    /// Where it moves to.
    public enum Move: Hashable, Sendable, CaseIterable {
        case forward, back, left, right, turnLeft, turnRight, climb, descend

        /// The opposite.
        public var opposite: Move {
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

        /// Full stick that way.
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

    /// Which key of the keyboard: several move the same way, and each is let go of by itself.
    public var name: String
    /// Where it moves to.
    public var move: Move

    /// A key.
    public init(_ name: String, _ move: Move) {
        self.name = name
        self.move = move
    }
}

extension Deflection {
    /// Both together, each axis cut to full stick: opposite keys cancel each other.
    static func + (left: Self, right: Self) -> Self {
        Deflection(
            turn: left.turn + right.turn, climb: left.climb + right.climb, right: left.right + right.right,
            forward: left.forward + right.forward)
    }
}
