/// The clock by which a vehicle stamps its messages, as seen by the program that receives them.
///
/// Ages are counted from stamps only where this clock is the receiver's own; else from the receipt of the messages.
public struct StampClock: Hashable, Sendable {
    /// What clock it is.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// The wall clock of the computer that receives the messages, or one that agrees with it.
        case wall = 1
        /// A simulated one: `/use_sim_time` is true, or `/clock` is published. It may lag, and run at another speed.
        case simulated = 2
        /// Another one: it differs from the receiver's by more than ``largestDifference``, constantly.
        case differing = 3

        /// The name in output: `wall`, `simulated`, `differs`.
        public var word: String {
            switch self {
            case .wall: "wall"
            case .simulated: "simulated"
            case .differing: "differs"
            }
        }
    }

    /// What clock it is.
    public var kind: Kind
    /// How far stamps are behind the receiver's clock, negative if ahead; with the shortest delay until the receipt. `nil`
    /// where stamps are the receiver's, and where it is not known.
    public var offset: Duration?

    /// Stamps that are further from their receipt, all of them, are of another clock: no message waits for a second on its
    /// way through a computer that flies, and none arrives before it is sent.
    public static let largestDifference: Duration = .seconds(1)

    /// A clock.
    public init(_ kind: Kind, offset: Duration? = nil) {
        self.kind = kind
        self.offset = offset
    }
}

/// From which instant the ages of telemetry count.
public enum AgeOrigin: String, Hashable, Sendable, CaseIterable {
    /// The receipt of the vehicle's message by the companion, converted by the clock offset that the channel measures.
    case receiptOnBoard = "received_on_board"
    /// The receipt of the vehicle's message by this computer: what the way to here takes is not in the age.
    case receiptOnGround = "received_on_ground"

    /// As text: `receipt on board`, `receipt on the ground`.
    public var text: String {
        switch self {
        case .receiptOnBoard: "receipt on board"
        case .receiptOnGround: "receipt on the ground"
        }
    }
}

extension LinkKind {
    /// From which instant the ages of its telemetry count.
    public var ageOrigin: AgeOrigin {
        switch self {
        case .tcp, .udp, .sim: .receiptOnBoard
        case .ssh, .sshShell, .ros, .direct: .receiptOnGround
        }
    }
}
