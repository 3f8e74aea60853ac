/// What the latency laboratory measured in one run of the program, with all that is needed to do it again.
public struct LatencyReport: Hashable, Sendable {
    /// A name and what it stands for: a version, a fact of the machine.
    public struct Fact: Hashable, Sendable {
        /// What it is: `processor`, `OpenSSH`.
        public var name: String
        /// Its value. Text from outside is made harmless where it is shown.
        public var value: String

        /// A fact.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The vehicle's name.
    public var vehicle: String
    /// The machine of the ground's end: processor, cores, memory, system, load when the run began.
    public var machine: [Fact]
    /// The versions of what took part: uavlink, companion, OpenSSH, ROS, kernel.
    public var versions: [Fact]
    /// The exact command that runs the same again, quoted for a shell, the seed in it.
    public var commandLine: String
    /// When the run began, seconds since 1970.
    public var beganSeconds: Double
    /// How long it took in all, seconds.
    public var lengthSeconds: Double
    /// What the random numbers (order of the links, losses) follow from.
    public var seed: UInt64
    /// How things were set: periods, counts, warm-up; shown as they are.
    public var settings: [Fact]
    /// The conditions in the order in which they were measured.
    public var conditions: [ConditionRun]
    /// What stands over the figures: a busy machine, a link that was left out, an interrupted run.
    public var notes: [String]

    /// A report.
    public init(
        vehicle: String, machine: [Fact] = [], versions: [Fact] = [], commandLine: String, beganSeconds: Double,
        lengthSeconds: Double, seed: UInt64, settings: [Fact] = [], conditions: [ConditionRun] = [],
        notes: [String] = []
    ) {
        self.vehicle = vehicle
        self.machine = machine
        self.versions = versions
        self.commandLine = commandLine
        self.beganSeconds = beganSeconds
        self.lengthSeconds = lengthSeconds
        self.seed = seed
        self.settings = settings
        self.conditions = conditions
        self.notes = notes
    }
}

/// All links under one condition of the network, measured in turns.
public struct ConditionRun: Hashable, Sendable {
    /// What the relay did, as text that `--impair` takes (`delay=20ms,loss=2%`); `none` for a relay that does no harm.
    public var impairment: String
    /// The links in the order of `--links`.
    public var links: [LinkRun]

    /// A condition.
    public init(impairment: String, links: [LinkRun] = []) {
        self.impairment = impairment
        self.links = links
    }
}

/// One link under one condition.
public struct LinkRun: Hashable, Sendable {
    /// The name as in `--links`: `ssh`, `ssh-shell`, `ssh-tunnel`, `tcp`, `udp`, `ros`.
    public var link: String
    /// How it reached the vehicle, in words: `a new exec channel for each command`.
    public var how: String
    /// Why nothing could be measured; `nil` when it could.
    public var failure: String?
    /// Commands: from the call to the vehicle's answer, both ways.
    public var command: Measured
    /// Steering: from the intended instant to the ROS message leaving on the vehicle, one way.
    public var steering: Measured
    /// Telemetry: from the stamp on the vehicle to the value on the ground, one way.
    public var telemetry: Measured
    /// Motion: from the stick to the first change in odometry, both ways.
    public var motion: Measured

    /// What a link gave.
    public init(
        link: String, how: String, failure: String? = nil, command: Measured = .absent("not measured"),
        steering: Measured = .absent("not measured"), telemetry: Measured = .absent("not measured"),
        motion: Measured = .absent("not measured")
    ) {
        self.link = link
        self.how = how
        self.failure = failure
        self.command = command
        self.steering = steering
        self.telemetry = telemetry
        self.motion = motion
    }

    /// The part of that kind.
    public func measured(_ kind: SeriesKind) -> Measured {
        switch kind {
        case .command: command
        case .steering: steering
        case .telemetry: telemetry
        case .motion: motion
        }
    }
}

/// What is measured on a link.
public enum SeriesKind: String, CaseIterable, Hashable, Sendable {
    /// From the call to the vehicle's answer.
    case command
    /// From the intended instant to the ROS message leaving on the vehicle.
    case steering
    /// From the stamp on the vehicle to the value on the ground.
    case telemetry
    /// From the stick to the first change in odometry.
    case motion

    /// Whether it compares the clocks of both ends.
    public var isOneWay: Bool { self == .steering || self == .telemetry }

    /// What is measured, from where to where.
    public var meaning: String {
        switch self {
        case .command: "from the call to the vehicle's answer"
        case .steering: "from the intended instant to the ROS message leaving on the vehicle"
        case .telemetry: "from the stamp on the vehicle to the value on the ground"
        case .motion: "from the stick to the first change in odometry"
        }
    }
}

/// A series, or why there is none.
public enum Measured: Hashable, Sendable {
    /// What was measured.
    case series(LatencySeries)
    /// Why it was not: the link cannot do it, it failed, nobody asked.
    case absent(String)

    /// The series, when there is one.
    public var series: LatencySeries? {
        if case .series(let series) = self { series } else { nil }
    }
}
