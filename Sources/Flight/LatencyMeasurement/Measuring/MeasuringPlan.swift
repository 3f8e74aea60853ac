internal import LatencyStatistics
package import Impairment
internal import Statistics
package import UAVLink
package import VehicleAccess

/// A way to connect to a vehicle that the measurement compares.
package enum MeasuredLink: String, CaseIterable, Hashable, Sendable {
    /// A new exec channel of a warm SSH session for each command.
    case ssh
    /// One warm shell in an SSH session.
    case sshShell = "ssh-shell"
    /// A persistent `rospy` process on the vehicle, fed over one exec channel: a base line of the laboratory, which nothing is
    /// flown over.
    case sshPersistent = "ssh-persistent"
    /// The socket channel over TCP inside an SSH session.
    case sshTunnel = "ssh-tunnel"
    /// The socket channel over TCP.
    case tcp
    /// The socket channel over UDP.
    case udp
    /// TCPROS straight from the ground.
    case ros
    /// The own protocol of a machine, past the companion in front of it.
    case direct
    /// JSON over a WebSocket to a rosbridge server beside the ROS master: a base line as well.
    case rosbridge

    /// Those that are measured unless others are named: an MRS vehicle can be flown over them.
    package static let flown = allCases.filter { ![.sshPersistent, .direct, .rosbridge].contains($0) }
    /// Those of a machine with its own protocol, which has a companion in front of it for the length of the measurement.
    package static let ofMachines: [MeasuredLink] = [.direct, .tcp, .udp]

    /// How it reaches the vehicle and how commands are called, as text.
    package var how: String {
        switch self {
        case .ssh: "rosservice in a new exec channel of a warm session for each command"
        case .sshShell: "rosservice in one warm shell of an SSH session"
        case .sshPersistent:
            "a persistent rospy process on the vehicle, fed and answering over one exec channel of an SSH session"
        case .sshTunnel:
            "the channel over TCP in a direct-tcpip channel of an SSH session; commands on the link's dedicated thread"
        case .tcp: "the channel over TCP; commands on the link's dedicated thread, where answers are read"
        case .udp: "the channel over UDP; commands on the link's dedicated thread, where answers are read"
        case .ros: "TCPROS from the ground, persistent connections; answers received on the I/O thread"
        case .direct:
            "the machine's own protocol, without a companion; network is all until its answer, the machine too"
        case .rosbridge: "JSON over a WebSocket to a rosbridge server; answers received on the I/O thread"
        }
    }
    /// The same of ``ros`` to a vehicle in ROS 2.
    package static let howInROS2 = "a Zenoh session from the ground with the router; answers received on the I/O thread"
}

/// What is to be measured, and how.
package struct MeasuringPlan: Sendable {
    /// The links, in the order in which they are reported.
    package var links: [MeasuredLink]
    /// Where the rosbridge server is that ``MeasuredLink/rosbridge`` measures.
    package var rosbridge: ROSBridgeAddress?
    /// The network conditions, applied in each direction; one run of all links for each.
    package var conditions: [Impairment]
    /// How many rounds each condition has, in each of which every link has a turn; `nil`: as many as ``duration``
    /// allows.
    package var rounds: Int?
    /// The bound of a condition's time for all links together: no round is begun that would exceed it by more than
    /// half; `nil` for none.
    package var duration: Duration?
    /// Setpoints a second, above 0 and at most 1000.
    package var rateHertz: Double
    /// Rates of setpoints that are measured one after the other under each condition, in place of ``rateHertz``; none for no sweep.
    package var sweptHertz: [Double] = []
    /// Commands a second over links that support that rate.
    package var commandHertz: Double
    /// The command that is measured: one that changes nothing.
    package var command: Command
    /// Whether the vehicle is moved, which happens in flight only; the user must have confirmed ``motionWarning``.
    package var measuresMotion: Bool
    /// How often each link pushes the vehicle under each condition.
    package var pushes = Self.usualPushes
    /// The largest distance of the vehicle from its position before the first push, metres; it is stopped there.
    package var boxMetres = MotionBounds.reachMetres
    /// The seed of the losses, of the order of the links and of the beginnings of turns.
    package var seed: UInt64
    /// The timeout for connecting and for each answer.
    package var timeout: Duration
    /// The command that repeats the run.
    package var commandLine: String

    /// How the vehicle is moved when motion is measured, and how far at most.
    package var motionWarning: String { MotionBounds.words(pushes: pushes, boxMetres: boxMetres) }

    /// How often each link pushes the vehicle unless told otherwise: enough for an interval, which takes ten.
    package static let usualPushes = 20
    /// The accepted numbers of pushes.
    package static let pushCounts = 1...200
    /// The accepted boxes, metres: in a smaller one a push that a lost link prolongs does not end.
    package static let boxes = 1.0...20.0
    /// The rounds of each condition unless told otherwise: thrice what an interval takes.
    package static let usualRounds = 30
    /// The accepted numbers of rounds.
    package static let roundCounts = 1...100_000
    /// The accepted rates, hertz.
    package static let rates = 1.0...1000.0

    /// Everything over every link, without impairment.
    package init(
        links: [MeasuredLink] = MeasuredLink.flown, conditions: [Impairment] = [.none],
        rounds: Int? = nil, duration: Duration? = .seconds(20), rateHertz: Double = 100, commandHertz: Double = 50,
        command: Command = .hover,
        measuresMotion: Bool = false, seed: UInt64 = 1, timeout: Duration = .seconds(15), commandLine: String = ""
    ) {
        self.links = links
        self.conditions = conditions
        self.rounds = rounds
        self.duration = duration
        self.rateHertz = rateHertz
        self.commandHertz = commandHertz
        self.command = command
        self.measuresMotion = measuresMotion
        self.seed = seed
        self.timeout = timeout
        self.commandLine = commandLine
    }

    /// How long a link steers in a turn: in all rounds together so long as a verdict takes, and not less than half a second, below
    /// which the request for control authority takes most of a turn. Where rounds are too few for that in turns of 2.2 s, each
    /// steers for one second, or for so long as p99 takes: rounds make intervals narrow, longer turns hardly do. One second
    /// where the number of rounds is not known.
    package var steeringInTurn: Duration {
        let (usual, longest) = (Duration.seconds(1), Duration.milliseconds(2200))
        guard let rounds else { return usual }
        let share = Duration.seconds(FlightThresholds().exposureSeconds) / max(1, rounds)
        if share <= longest { return max(share, .milliseconds(500)) }
        // The first of a turn is apart from the others.
        let setpoints = (Percentile.p99.minimumCount + rounds - 1) / max(1, rounds) + 1
        return min(max(usual, .seconds(Double(setpoints) / (sweptHertz.min() ?? rateHertz))), longest)
    }
}
