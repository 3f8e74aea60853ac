/// The result of one latency measurement run, with everything needed to repeat it.
public struct LatencyReport: Hashable, Sendable {
    /// A named value: a version, a property of the machine.
    public struct Fact: Hashable, Sendable {
        /// What it is: `processor`, `OpenSSH`.
        public var name: String
        /// Its value. Text from outside is sanitized where it is displayed.
        public var value: String

        /// A fact.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The vehicle's name.
    public var vehicle: String
    /// The machine at the ground end: processor, cores, memory, system, load at the start of the run.
    public var machine: [Fact]
    /// The versions of the software involved: uavlink, companion, OpenSSH, ROS, kernel.
    public var versions: [Fact]
    /// The exact command that repeats the run, quoted for a shell, with its seed.
    public var commandLine: String
    /// When the run began, seconds since 1970.
    public var beganSeconds: Double
    /// Total duration, seconds.
    public var lengthSeconds: Double
    /// The seed of the random numbers (order of the links, losses).
    public var seed: UInt64
    /// The settings: periods, counts, warm-up; displayed as they are.
    public var settings: [Fact]
    /// The conditions in the order in which they were measured.
    public var conditions: [ConditionRun]
    /// Warnings shown above the figures: a busy machine, a link that was left out, an interrupted run.
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
    /// What the relay did, as text that `--impair` accepts (`delay=20ms,loss=2%`); `none` for a relay without impairment.
    public var impairment: String
    /// The links in the order of `--links`.
    public var links: [LinkRun]

    /// A condition.
    public init(impairment: String, links: [LinkRun] = []) {
        self.impairment = impairment
        self.links = links
    }

    /// A warning for each link on which the companion's records of commands are missing.
    var untracedNotes: [String] {
        links.compactMap { link in
            guard let series = link.command.series, series.untraced > 0 else { return nil }
            return "\(link.link) (\(impairment)): no record from the companion of \(series.untraced) of "
                + "\(series.samples.count) commands; their time on the vehicle is counted as network"
        }
    }
}

/// One link under one condition.
public struct LinkRun: Hashable, Sendable {
    /// The name as in `--links`: `ssh`, `ssh-shell`, `ssh-tunnel`, `tcp`, `udp`, `ros`.
    public var link: String
    /// How it reached the vehicle, as text: `a new exec channel for each command`.
    public var how: String
    /// Why nothing could be measured; `nil` on success.
    public var failure: String?
    /// Commands: from the call to the vehicle's answer, round trip.
    public var command: Measured
    /// Steering: from the scheduled instant to the ROS message leaving on the vehicle, one way.
    public var steering: Measured
    /// Telemetry: from the timestamp on the vehicle to the value on the ground, one way.
    public var telemetry: Measured
    /// Motion: from the setpoint to the first change in odometry, round trip.
    public var motion: Measured

    /// The results of one link.
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

    /// The result for one kind.
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
    /// From the scheduled instant to the ROS message leaving on the vehicle.
    case steering
    /// From the timestamp on the vehicle to the value on the ground.
    case telemetry
    /// From the setpoint to the first change in odometry.
    case motion

    /// Whether it depends on the clocks of both ends.
    public var isOneWay: Bool { self == .steering || self == .telemetry }

    /// The start and the end of the measured interval.
    public var meaning: String {
        switch self {
        case .command: "from the call to the vehicle's answer"
        case .steering: "from the scheduled instant to the ROS message leaving on the vehicle"
        case .telemetry: "from the timestamp on the vehicle to the value on the ground"
        case .motion: "from the setpoint to the first change in odometry"
        }
    }
}

/// A series, or why there is none.
public enum Measured: Hashable, Sendable {
    /// What was measured.
    case series(LatencySeries)
    /// Why it was not measured: the link does not support it, it failed, it was not requested.
    case absent(String)

    /// The series, when there is one.
    public var series: LatencySeries? {
        if case .series(let series) = self { series } else { nil }
    }
}
