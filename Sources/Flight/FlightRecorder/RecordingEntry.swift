package import ChannelProtocol
package import UAVLink

/// An entry of a recording. All instants are on this machine's monotonic clock.
package enum RecordingEntry: Hashable, Sendable {
    /// Telemetry of the vehicle.
    case telemetry(Telemetry, at: MonotonicTime)
    /// A setpoint passed to the link.
    case setpoint(RecordedSetpoint)
    /// A command with its answer.
    case command(RecordedCommand)
    /// An event.
    case event(RecordedEvent)
    /// The trajectory that the vehicle holds, where no recorded command sent it.
    case plan(Trajectory, at: MonotonicTime)

    /// The entry's time in the recording.
    package var at: MonotonicTime {
        switch self {
        case .telemetry(_, let at): at
        case .setpoint(let note): note.sentAt
        case .command(let note): note.answeredAt
        case .event(let note): note.at
        case .plan(_, let at): at
        }
    }
}

/// A setpoint and its timestamps along the path.
package struct RecordedSetpoint: Hashable, Sendable {
    /// The outcome of a sent setpoint.
    package enum Fate: String, Hashable, Sendable {
        /// Passed on to the flight stack.
        case applied
        /// Refused by the companion for another reason.
        case refused
        /// Expired when it arrived.
        case stale
        /// A newer setpoint, or a command, had arrived before.
        case superseded
        /// Never arrived.
        case lost
    }

    /// The number of the setpoint in the recording, from 1.
    package var number: UInt32
    /// The link's name.
    package var link: String
    /// The impairment of the network in a measurement; otherwise empty.
    package var condition = ""
    /// The setpoint, with the instant at which it was intended.
    package var setpoint: VelocitySetpoint
    /// When the link had sent it.
    package var sentAt: MonotonicTime
    /// When it was received on the vehicle's side; `nil` if unknown.
    package var receivedAt: MonotonicTime?
    /// When it was passed on to the flight stack; `nil` if unknown.
    package var appliedAt: MonotonicTime?
    /// The error bound of ``receivedAt`` and ``appliedAt``; `nil` if no second clock is involved.
    package var clockBound: Duration?
    /// Its outcome; `nil` if unknown.
    package var fate: Fate?
    /// Why it was not sent; `nil` if it was.
    package var error: String?

    package init(
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

/// A command, its answer, and its timestamps along the path.
package struct RecordedCommand: Hashable, Sendable {
    /// The number of the command in the recording, from 1.
    package var number: UInt32
    /// The link's name.
    package var link: String
    /// The impairment of the network in a measurement; otherwise empty.
    package var condition = ""
    package var command: Command
    /// When it was called.
    package var intendedAt: MonotonicTime
    /// When it was passed to the link.
    package var sentAt: MonotonicTime
    /// When it was received on the vehicle's side; `nil` if unknown.
    package var receivedAt: MonotonicTime?
    /// When it was passed on to the vehicle; `nil` if unknown.
    package var appliedAt: MonotonicTime?
    /// The error bound of ``receivedAt`` and ``appliedAt``; `nil` if no second clock is involved.
    package var clockBound: Duration?
    /// When the answer, or the failure, was available.
    package var answeredAt: MonotonicTime
    /// The answer, or the error.
    package var answer: Result<CommandReply, LinkError>

    package init(
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

package struct RecordedEvent: Hashable, Sendable {
    package var severity: VehicleMessage.Severity
    /// The kind: `recording`, `link`, `vehicle`.
    package var kind: String
    /// The text; untrusted, since it may come from the vehicle.
    package var text: String
    /// When.
    package var at: MonotonicTime

    package init(_ severity: VehicleMessage.Severity, _ kind: String, _ text: String, at: MonotonicTime) {
        self.severity = severity
        self.kind = kind
        self.text = text
        self.at = at
    }
}

extension RecordedSetpoint.Fate {
    /// Converts the outcome reported by the companion.
    package init(_ fate: TraceRecord.Fate) {
        switch fate {
        case .applied: self = .applied
        case .refused: self = .refused
        case .stale: self = .stale
        case .superseded: self = .superseded
        }
    }
}
