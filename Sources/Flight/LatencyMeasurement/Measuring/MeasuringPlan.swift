public import Impairment
public import UAVLink

/// A way to reach a vehicle that the laboratory compares.
public enum LaboratoryLink: String, CaseIterable, Hashable, Sendable {
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

    /// How it reaches the vehicle and how it is called, in words.
    public var how: String {
        switch self {
        case .ssh: "rosservice in a new exec channel of a warm session for each command"
        case .sshShell: "rosservice in one warm shell of an SSH session"
        case .sshTunnel:
            "the channel over TCP in a direct-tcpip channel of an SSH session; commands on the link's own thread"
        case .tcp: "the channel over TCP; commands on the link's own thread, where answers are read"
        case .udp: "the channel over UDP; commands on the link's own thread, where answers are read"
        case .ros: "TCPROS from the ground, connections kept; answers taken on the I/O thread that reads them"
        }
    }

    /// Whether each command starts a program on the vehicle.
    var isShell: Bool { self == .ssh || self == .sshShell }
}

/// What is to be measured.
public struct MeasuringPlan: Sendable {
    /// The links, in the order in which they are reported.
    public var links: [LaboratoryLink]
    /// What the network does, each way; one run of all links for each.
    public var conditions: [Impairment]
    /// How long all links together are measured under each condition, about.
    public var duration: Duration
    /// Setpoints a second, above 0 and at most 1000.
    public var rateHertz: Double
    /// Commands a second over links that take so many.
    public var commandHertz: Double
    /// What is commanded: something that changes nothing.
    public var command: Command
    /// Whether the vehicle is to move, which it does in flight only; a person must have agreed to ``motionWords``.
    public var measuresMotion: Bool
    /// What losses and the order of the links follow from.
    public var seed: UInt64
    /// How long connecting and each answer may take.
    public var timeout: Duration
    /// The command that runs the same again.
    public var commandLine: String

    /// How the vehicle is moved where motion is measured, and how far at most.
    public static let motionWords = MotionBox.words

    /// The rates that make sense.
    public static let rates = 1.0...1000.0

    /// Everything over every link, without harm.
    public init(
        links: [LaboratoryLink] = LaboratoryLink.allCases, conditions: [Impairment] = [.none],
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
