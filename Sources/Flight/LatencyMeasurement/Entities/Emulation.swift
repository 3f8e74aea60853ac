internal import Impairment

/// How a condition of the network was made.
package enum Emulation: String, Hashable, Sendable {
    /// Nothing was impaired, and nothing stood in front of the links.
    case none
    /// Relays in front of the links delayed streams, and delayed and lost datagrams.
    case relays
    /// IP packets went through a network device of the program, each way by itself; what was lost, the kernel's own TCP recovered.
    case packets

    /// One clause, for the page.
    package var text: String {
        switch self {
        case .none: "nothing impaired: the links go straight to the vehicle"
        case .relays: "made by relays, which delay streams in order, and delay and lose datagrams"
        case .packets:
            "made by losing, delaying and reordering IP packets in a network device of the program (TUN): the recovery "
                + "of streams is the kernel's own TCP"
        }
    }

    /// How the failure of a link begins whose emulated network failed.
    static let failed = "the emulated network failed"

    /// The failure of a link whose emulated network failed: what was lost was not the condition's loss.
    static func failure(_ reason: String) -> String { "\(failed), and nothing of this condition counts: \(reason)" }

    /// The way for a condition.
    ///
    /// - Parameter obstacle: why this process cannot lose IP packets; `nil` if it can.
    init(of condition: Impairment, obstacle: String?) {
        self = condition.isNone ? .none : condition.losesPackets && obstacle == nil ? .packets : .relays
    }
}
