package import Impairment
package import UAVLink

/// A way to connect to a vehicle that the measurement compares.
package enum MeasuredLink: String, CaseIterable, Hashable, Sendable {
    /// A new exec channel of a warm SSH session for each command.
    case ssh
    /// One warm shell in an SSH session.
    case sshShell = "ssh-shell"
    /// The socket channel over TCP inside an SSH session.
    case sshTunnel = "ssh-tunnel"
    /// The socket channel over TCP.
    case tcp
    /// The socket channel over UDP.
    case udp
    /// TCPROS straight from the ground.
    case ros

    /// How it reaches the vehicle and how commands are called, as text.
    package var how: String {
        switch self {
        case .ssh: "rosservice in a new exec channel of a warm session for each command"
        case .sshShell: "rosservice in one warm shell of an SSH session"
        case .sshTunnel:
            "the channel over TCP in a direct-tcpip channel of an SSH session; commands on the link's dedicated thread"
        case .tcp: "the channel over TCP; commands on the link's dedicated thread, where answers are read"
        case .udp: "the channel over UDP; commands on the link's dedicated thread, where answers are read"
        case .ros: "TCPROS from the ground, persistent connections; answers received on the I/O thread"
        }
    }
}

/// What is to be measured, and how.
package struct MeasuringPlan: Sendable {
    /// The links, in the order in which they are reported.
    package var links: [MeasuredLink]
    /// The network conditions, applied in each direction; one run of all links for each.
    package var conditions: [Impairment]
    /// Duration of the measurement of all links together under each condition, approximately.
    package var duration: Duration
    /// Setpoints a second, above 0 and at most 1000.
    package var rateHertz: Double
    /// Commands a second over links that support that rate.
    package var commandHertz: Double
    /// The command that is measured: one that changes nothing.
    package var command: Command
    /// Whether the vehicle is moved, which happens in flight only; the user must have confirmed ``motionWarning``.
    package var measuresMotion: Bool
    /// The seed of the losses and of the order of the links.
    package var seed: UInt64
    /// The timeout for connecting and for each answer.
    package var timeout: Duration
    /// The command that repeats the run.
    package var commandLine: String

    /// How the vehicle is moved when motion is measured, and how far at most.
    package static let motionWarning = MotionBounds.words

    /// The accepted rates, hertz.
    package static let rates = 1.0...1000.0

    /// Everything over every link, without impairment.
    package init(
        links: [MeasuredLink] = MeasuredLink.allCases, conditions: [Impairment] = [.none],
        duration: Duration = .seconds(20), rateHertz: Double = 100, commandHertz: Double = 50,
        command: Command = .hover,
        measuresMotion: Bool = false, seed: UInt64 = 1, timeout: Duration = .seconds(15), commandLine: String = ""
    ) {
        self.links = links
        self.conditions = conditions
        self.duration = duration
        self.rateHertz = rateHertz
        self.commandHertz = commandHertz
        self.command = command
        self.measuresMotion = measuresMotion
        self.seed = seed
        self.timeout = timeout
        self.commandLine = commandLine
    }
}
