internal import FlightRecorder
internal import SocketTransport
internal import UAVLink

/// Puts what is measured over one link under one condition into a recording, once it has been measured: while it is, nothing
/// is noted that the measuring does not note anyway.
struct RunRecording: Sendable {
    let recorder: FlightRecorder
    let link: LaboratoryLink
    let condition: String
    let command: Command

    /// When a setpoint or a command was where, as far as it is known.
    struct Passage: Sendable {
        var intendedAt: MonotonicTime
        var sentAt: MonotonicTime
        var receivedAt: MonotonicTime?
        var appliedAt: MonotonicTime?
        var clockBound: Duration?

        /// Takes in times of the companion's clock, which say nothing without its offset.
        mutating func take(_ clock: ChannelTrace.Clock?, receivedAt: MonotonicTime?, appliedAt: MonotonicTime?) {
            guard let clock, let receivedAt else { return }
            self.receivedAt = clock.ground(receivedAt)
            self.appliedAt = appliedAt.map(clock.ground)
            clockBound = .nanoseconds(clock.boundNanoseconds)
        }
    }

    /// A setpoint, neutral as all are that the schedule steers.
    func setpoint(_ passage: Passage, fate: SetpointNote.Fate?, error: String? = nil) -> FlightNote {
        var note = SetpointNote(
            number: recorder.nextSetpoint(), link: link.rawValue,
            setpoint: VelocitySetpoint(
                velocityMetresPerSecond: .zero, frame: .body, intendedAt: passage.intendedAt,
                validFor: VelocitySetpoint.longestValidity),
            sentAt: passage.sentAt, receivedAt: passage.receivedAt, appliedAt: passage.appliedAt, fate: fate,
            error: error)
        note.condition = condition
        note.clockBound = passage.clockBound
        return .setpoint(note)
    }

    /// The command that is measured.
    func command(_ passage: Passage, answeredAt: MonotonicTime?, _ reply: CommandReply?) -> FlightNote {
        let answer = reply.map(Result.success) ?? .failure(LinkError(.timedOut, "no answer came"))
        var note = CommandNote(
            number: recorder.nextCommand(), link: link.rawValue, command: command, intendedAt: passage.intendedAt,
            sentAt: passage.sentAt, receivedAt: passage.receivedAt, appliedAt: passage.appliedAt,
            answeredAt: answeredAt ?? passage.sentAt, answer: answer)
        note.condition = condition
        note.clockBound = passage.clockBound
        return .command(note)
    }

    /// A link that records what is done with it beside the schedule.
    func around(_ link: any UAVLink) -> any UAVLink {
        RecordingLink(link, recorder: recorder, name: self.link.rawValue, condition: condition)
    }
}
