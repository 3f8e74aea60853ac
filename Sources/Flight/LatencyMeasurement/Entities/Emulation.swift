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
        self = condition.isNone ? .none : condition.isOfPackets && obstacle == nil ? .packets : .relays
    }
}

/// How a condition is made on this computer.
struct EmulatedWay {
    let emulation: Emulation
    /// Why nothing can be lost of a stream although the condition loses packets; `nil` if it can, or does not.
    let lossObstacle: String?

    /// - Parameter missing: why this process cannot lose IP packets; `nil` if it can. Asked where that matters.
    init(_ condition: Impairment, _ missing: () -> String?) {
        let obstacle = condition.isOfPackets ? missing() : nil
        emulation = Emulation(of: condition, obstacle: obstacle)
        // A rate alone relays make of streams too: they hold the sender back.
        lossObstacle = condition.losesPackets ? obstacle : nil
    }
}

extension Impairment {
    /// Whether it is made with IP packets where that can be done: by relays each connection has a rate to itself, and its sender is
    /// held back where a network drops.
    var isOfPackets: Bool { losesPackets || bitsPerSecond != nil || down.bitsPerSecond != nil }
}
