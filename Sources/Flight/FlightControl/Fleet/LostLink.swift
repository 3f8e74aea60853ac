internal import ReportKit
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
        case .ssh, .sshShell, .ros, .sim: "log out and log in again; \(radio)"
        }
    }

    /// What becomes of a command that is given over its lost link, before the link says so itself.
    ///
    /// - Parameter timeout: how long its answer is waited for.
    func lostLinkAttempt(within timeout: Duration) -> String {
        let seconds = "\(Int(saturating: timeout.inSeconds)) s"
        return switch link.kind {
        // The channel sends a command again until it is answered, and over each new socket; it ends with the companion's
        // session.
        case .udp, .tcp:
            "is sent again while the link is tried, \(seconds) at most, and not to a companion that has ended or starts anew: "
                + "look for the answer, else give it again"
        // A link that knows that it cannot send says so at once; one that has sent waits.
        case .ssh, .sshShell, .ros, .sim, .direct:
            "is given to the link at once: its answer, or that it was not sent, comes within \(seconds)"
        }
    }

    /// What the vehicle does while its link is lost, whatever is commanded meanwhile.
    var lostLinkConduct: String {
        let goesOn = "a goto, a trajectory or a landing goes on"
        return switch link.kind {
        case .udp, .tcp: "its companion stops what was steered; \(goesOn)"
        case .ssh, .sshShell, .ros, .sim: "steering ends by itself; \(goesOn)"
        // Nothing on board stops it but its failsafe.
        case .direct: "it follows what it was sent last, steering too, until its own failsafe ends that"
        }
    }

    /// What ends its motion when it was steered and no stop reaches it.
    package var endOfSteering: String {
        switch link.kind {
        case .udp, .tcp: "its companion stops the vehicle"
        case .ssh, .sshShell, .ros, .sim: "without setpoints the vehicle stops by itself"
        case .direct: "it may follow its last setpoint until its own failsafe ends that"
        }
    }
}
