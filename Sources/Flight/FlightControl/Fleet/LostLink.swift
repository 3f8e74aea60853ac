internal import UAVLink

extension LoggedInVehicle {
    /// Whether its link is lost: the vehicle was heard over it, and no command reaches it now.
    package var isLinkLost: Bool { !link.quality.isConnected && link.latestTelemetry != nil }

    /// What happens, and what the user can do, while no command reaches it.
    package var lostLinkAdvice: String { Self.lostLinkAdvice(link.kind) }

    /// As ``lostLinkAdvice``, of a link of this kind.
    static func lostLinkAdvice(_ kind: LinkKind) -> String {
        let radio = "until then only the radio reaches the vehicle"
        return switch kind {
        // A session of the companion survives; its ground asks for another one when it does not.
        case .udp, .tcp: "it is tried again by itself; \(radio)"
        // Its client greets the machine again and again, and there is no safety pilot's radio.
        case .direct: "it is tried again by itself; until then nothing reaches the vehicle"
        case .ssh, .ros, .sim: "log out and log in again; \(radio)"
        }
    }
}
