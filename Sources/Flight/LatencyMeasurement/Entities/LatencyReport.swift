internal import GroundComputer
package import LatencyStatistics

/// The result of one latency measurement run, with everything needed to repeat it.
package struct LatencyReport: Hashable, Sendable {
    /// A named value: a version, a property of the machine.
    package struct Fact: Hashable, Sendable {
        /// What it is: `processor`, `OpenSSH`.
        package var name: String
        /// Its value. Text from outside is sanitized where it is displayed.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        init(_ fact: ComputerFact) { self.init(fact.name, fact.value) }
    }

    /// The vehicle's name.
    package var vehicle: String
    /// Whether it is known to be simulated: its figures say nothing of a real vehicle's computer, and it has no ROS.
    package var isSimulated = false
    /// The vehicle's name, with ` (simulated)` where that is known.
    package var target: String { isSimulated ? vehicle + " (simulated)" : vehicle }
    /// The machines at both ends: processor, cores, memory, system, load, and how their clocks are kept.
    package var machine: [Fact]
    /// The versions of the software involved: uavlink, kernel, companion; of the vehicle's computer OpenSSH and ROS, where there is a
    /// log-in.
    package var versions: [Fact]
    /// The exact command that repeats the run, quoted for a shell, with its seed.
    package var commandLine: String
    /// When the run began, seconds since 1970.
    package var beganSeconds: Double
    /// Total duration, seconds.
    package var lengthSeconds: Double
    /// The seed of the random numbers (order of the links, losses).
    package var seed: UInt64
    /// The settings: periods, counts, warm-up; displayed as they are.
    package var settings: [Fact]
    /// The conditions in the order in which they were measured.
    package var conditions: [ConditionRun]
    /// Warnings shown above the figures: a busy machine, a link that was left out, an interrupted run.
    package var notes: [String]
    /// Every exchange of timestamps with the companion, past all impairment; instants count from the beginning of the run.
    package var clockExchanges: [ClockExchangeSample] = []
    /// Each run for itself, where there were several; their rounds are in ``conditions`` together.
    package var runs: [Run] = []
    /// The note that says why the run ended by itself before its time; `nil` if it did not.
    package var endedEarly: String?
    /// Why, as a clause.
    package private(set) var endingReason: String?

    package init(
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

    /// Notes why the run ended by itself before its time.
    package mutating func end(early reason: String) {
        let note = "ended early, since \(reason): the report has what was measured until then"
        (endedEarly, endingReason) = (note, reason)
        notes.append(note)
    }

    /// Adds a warning if no movement was measured, in a run that was to measure it.
    mutating func noteMissingMotion() {
        let motions = conditions.flatMap(\.links).filter { $0.failure == nil }.map(\.motion)
        guard !motions.contains(where: { $0.series?.samples.isEmpty == false }) else { return }
        let reasons = motions.compactMap { motion -> String? in
            if case .absent(let reason) = motion { reason } else { nil }
        }
        // Of links that cannot steer it is known before.
        let known = [MotionMeasurement.notFlying, MotionMeasurement.tooFar]
        let reason = known.first { reasons.contains($0) } ?? reasons.first ?? "no link was measured"
        notes.append("motion was requested and not measured: \(reason)")
    }
}

/// All links under one condition of the network, measured in turns.
package struct ConditionRun: Hashable, Sendable {
    /// What was impaired, as text that `--impair` accepts (`delay=20ms,loss=2%`); `none` where links were measured
    /// without relays. In a sweep the rate stands behind it: `none at 50 Hz`.
    package var impairment: String
    /// The links in the order of `--links`.
    package var links: [LinkRun]

    /// How the condition was made.
    package var emulation: Emulation

    package init(impairment: String, links: [LinkRun] = [], emulation: Emulation? = nil) {
        self.impairment = impairment
        self.links = links
        self.emulation = emulation ?? (impairment == "none" ? .none : .relays)
    }

    /// A warning if the emulated network failed: what it lost was not the condition's loss.
    var emulationNotes: [String] {
        emulation == .packets && links.contains { $0.failure?.hasPrefix(Emulation.failed) == true }
            ? ["\(impairment): ended early, since the emulated network failed"] : []
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
package struct LinkRun: Hashable, Sendable {
    /// The name as in `--links`: `ssh`, `ssh-shell`, `ssh-persistent`, `ssh-tunnel`, `tcp`, `udp`, `ros`, `rosbridge`.
    package var link: String
    /// How it reached the vehicle, as text: `a new exec channel for each command`.
    package var how: String
    /// Why nothing could be measured; `nil` on success.
    package var failure: String?
    /// Commands: from the call to the vehicle's answer, round trip.
    package var command: Measured
    /// Steering: from the scheduled instant to its ``EndPoint``.
    package var steering: Measured
    /// Telemetry: from the timestamp on the vehicle, or the receipt on board, to the value on the ground, one way.
    package var telemetry: Measured
    /// Motion: from the setpoint to the first change in odometry, round trip.
    package var motion: Measured
    /// What it cost in its turns; `nil` if that was not measured.
    package var cost: LinkCost?

    /// The results of one link.
    package init(
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
    package func measured(_ kind: SeriesKind) -> Measured {
        switch kind {
        case .command: command
        case .steering: steering
        case .telemetry: telemetry
        case .motion: motion
        }
    }
}

/// What is measured on a link.
package enum SeriesKind: String, CaseIterable, Hashable, Sendable {
    /// From the call to the vehicle's answer.
    case command
    /// From the scheduled instant to the link's ``EndPoint``.
    case steering
    /// From the timestamp on the vehicle to the value on the ground.
    case telemetry
    /// From the setpoint to the first change in odometry.
    case motion

    /// Whether it depends on the clocks of both ends.
    package var isOneWay: Bool { self == .steering || self == .telemetry }

    /// The start and the end of the measured interval; of steering and telemetry see also
    /// `LatencySummary.Condition.meaning(of:)`.
    package var meaning: String {
        switch self {
        case .command: "from the call to the vehicle's answer"
        case .steering: "from the scheduled instant to where the link's steering ends"
        case .telemetry: "from the timestamp on the vehicle to the value on the ground"
        case .motion: "from the setpoint to the first change in odometry"
        }
    }
}

/// A series, or why there is none.
package enum Measured: Hashable, Sendable {
    /// What was measured.
    case series(LatencySeries)
    /// Why it was not measured: the link does not support it, it failed, it was not requested.
    case absent(String)

    /// The series, when there is one.
    package var series: LatencySeries? {
        if case .series(let series) = self { series } else { nil }
    }
}
