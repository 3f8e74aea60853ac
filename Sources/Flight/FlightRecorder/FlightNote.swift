public import SocketTransport
public import UAVLink

/// Something that a recording holds. All instants are on this machine's monotonic clock.
public enum FlightNote: Hashable, Sendable {
    /// What the vehicle told.
    case telemetry(Telemetry, at: MonotonicTime)
    /// A setpoint that was handed to the link.
    case setpoint(SetpointNote)
    /// A command with its answer.
    case command(CommandNote)
    /// Something that happened.
    case event(EventNote)

    /// When it stands in the recording.
    public var at: MonotonicTime {
        switch self {
        case .telemetry(_, let at): at
        case .setpoint(let note): note.sentAt
        case .command(let note): note.answeredAt
        case .event(let note): note.at
        }
    }
}

/// A setpoint and when it was where.
public struct SetpointNote: Hashable, Sendable {
    /// What became of a setpoint that was sent.
    public enum Fate: String, Hashable, Sendable {
        /// Passed on to the flight stack.
        case applied
        /// The vehicle's end had its own reason not to.
        case refused
        /// Too old when it came.
        case stale
        /// A newer one, or a command, had come before.
        case superseded
        /// It never came.
        case lost
    }

    /// Counts the setpoints of the recording from 1.
    public var number: UInt32
    /// What carried it.
    public var link: String
    /// What the network was made to do, in a measurement.
    public var condition = ""
    /// What was asked for, with the instant at which it was meant.
    public var setpoint: VelocitySetpoint
    /// When the link had handed it to the network.
    public var sentAt: MonotonicTime
    /// When it reached the vehicle's end; `nil` where nobody knows.
    public var receivedAt: MonotonicTime?
    /// When it left for the flight stack; `nil` where nobody knows.
    public var appliedAt: MonotonicTime?
    /// How far ``receivedAt`` and ``appliedAt`` can be from the truth; `nil` where no second clock is involved.
    public var clockBound: Duration?
    /// What became of it; `nil` where nobody knows.
    public var fate: Fate?
    /// Why it was not sent.
    public var error: String?

    /// A setpoint.
    public init(
        number: UInt32, link: String, setpoint: VelocitySetpoint, sentAt: MonotonicTime,
        receivedAt: MonotonicTime? = nil, appliedAt: MonotonicTime? = nil, fate: Fate? = nil, error: String? = nil
    ) {
        self.number = number
        self.link = link
        self.fate = fate
        self.setpoint = setpoint
        self.sentAt = sentAt
        self.receivedAt = receivedAt
        self.appliedAt = appliedAt
        self.error = error
    }
}

/// A command, its answer, and when it was where.
public struct CommandNote: Hashable, Sendable {
    /// Counts the commands of the recording from 1.
    public var number: UInt32
    /// What carried it.
    public var link: String
    /// What the network was made to do, in a measurement.
    public var condition = ""
    /// What was asked for.
    public var command: Command
    /// When the caller asked.
    public var intendedAt: MonotonicTime
    /// When it was handed to the link.
    public var sentAt: MonotonicTime
    /// When it reached the vehicle's end; `nil` where nobody knows.
    public var receivedAt: MonotonicTime?
    /// When the vehicle was asked; `nil` where nobody knows.
    public var appliedAt: MonotonicTime?
    /// How far ``receivedAt`` and ``appliedAt`` can be from the truth; `nil` where no second clock is involved.
    public var clockBound: Duration?
    /// When the answer, or the failure, was there.
    public var answeredAt: MonotonicTime
    /// The answer, or why there was none.
    public var answer: Result<CommandReply, LinkError>

    /// A command.
    public init(
        number: UInt32, link: String, command: Command, intendedAt: MonotonicTime, sentAt: MonotonicTime,
        receivedAt: MonotonicTime? = nil, appliedAt: MonotonicTime? = nil, answeredAt: MonotonicTime,
        answer: Result<CommandReply, LinkError>
    ) {
        self.number = number
        self.link = link
        self.command = command
        self.intendedAt = intendedAt
        self.sentAt = sentAt
        self.receivedAt = receivedAt
        self.appliedAt = appliedAt
        self.answeredAt = answeredAt
        self.answer = answer
    }
}

/// Something that happened.
public struct EventNote: Hashable, Sendable {
    /// How much it matters.
    public var severity: VehicleMessage.Severity
    /// What kind of thing: `recording`, `link`, `vehicle`.
    public var kind: String
    /// In words; may come from the vehicle.
    public var text: String
    /// When.
    public var at: MonotonicTime

    /// An event.
    public init(_ severity: VehicleMessage.Severity, _ kind: String, _ text: String, at: MonotonicTime) {
        self.severity = severity
        self.kind = kind
        self.text = text
        self.at = at
    }
}

extension SetpointNote.Fate {
    /// What the companion says.
    public init(_ fate: TraceRecord.Fate) {
        switch fate {
        case .applied: self = .applied
        case .refused: self = .refused
        case .stale: self = .stale
        case .superseded: self = .superseded
        }
    }
}
