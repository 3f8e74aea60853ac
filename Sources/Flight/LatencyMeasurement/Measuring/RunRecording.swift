internal import FlightRecorder
internal import ChannelProtocol
internal import UAVLink

/// Writes the measurements of one link under one condition into a recording, after they were taken: during the measurement
/// nothing extra is recorded.
struct RunRecording: Sendable {
    let recorder: FlightRecorder
    let link: MeasuredLink
    let condition: String
    let command: Command

    /// The instants of a setpoint or a command along its path, as far as they are known.
    struct Passage: Sendable {
        var intendedAt: MonotonicTime
        var sentAt: MonotonicTime
        var receivedAt: MonotonicTime?
        var appliedAt: MonotonicTime?
        var clockBound: Duration?

        /// Sets times of the companion's clock, which cannot be used without its offset.
        mutating func take(_ clock: ChannelTrace.Clock?, receivedAt: MonotonicTime?, appliedAt: MonotonicTime?) {
            guard let clock, let receivedAt else { return }
            self.receivedAt = clock.ground(receivedAt)
            self.appliedAt = appliedAt.map(clock.ground)
            clockBound = .nanoseconds(clock.boundNanoseconds)
        }
    }

    /// A setpoint; all scheduled ones are neutral.
    func setpoint(_ passage: Passage, fate: RecordedSetpoint.Fate?, error: String? = nil) -> RecordingEntry {
        var note = RecordedSetpoint(
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
    func command(_ passage: Passage, answeredAt: MonotonicTime?, _ reply: CommandReply?) -> RecordingEntry {
        let answer = reply.map(Result.success) ?? .failure(LinkError(.timedOut, "no answer received"))
        var note = RecordedCommand(
            number: recorder.nextCommand(), link: link.rawValue, command: command, intendedAt: passage.intendedAt,
            sentAt: passage.sentAt, receivedAt: passage.receivedAt, appliedAt: passage.appliedAt,
            answeredAt: answeredAt ?? passage.sentAt, answer: answer)
        note.condition = condition
        note.clockBound = passage.clockBound
        return .command(note)
    }

    /// A link that records what is done with it outside the schedule.
    func around(_ link: any UAVLink) -> any UAVLink {
        RecordingLink(link, recorder: recorder, name: self.link.rawValue, condition: condition)
    }
}
