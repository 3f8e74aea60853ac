internal import FlightRecorder
internal import LatencyStatistics
internal import UAVLink

/// What the companion saw of a link's setpoints on the vehicle's topic. So steering is measured over a link whose other end reports
/// nothing of them: ``ROSProbe`` and ``PersistentProbe``.
struct ObservedSetpoints: Sendable {
    /// Time for the companion to subscribe: two round trips of calls at 100 ms each way, and the master's notification.
    static let subscriptionLead: Duration = .milliseconds(600)
    /// Time for the companion's last records.
    static let lastRecords: Duration = .milliseconds(600)

    private var seen: [UInt32: MonotonicTime] = [:]

    /// Another condition begins.
    mutating func beginCondition() { seen = [:] }

    /// Adds what the companion has reported since: arrivals on its clock, by the `seq` of the message.
    mutating func add(_ reported: [UInt32: MonotonicTime]) { seen.merge(reported) { first, _ in first } }

    /// The latencies of steering.
    ///
    /// - Parameters:
    ///   - track: the companion's clock; `nil` without a companion.
    ///   - sequence: the `seq` with which a setpoint was published; `nil` if that is not known.
    func steering(
        _ book: TurnResults, since start: MonotonicTime, _ track: ClockTrack?,
        sequence: (SteeringAttempt) -> UInt32?
    ) -> Measured {
        guard let track else {
            return .absent("no companion: the arrival of setpoints on the vehicle cannot be observed")
        }
        guard !book.steered.isEmpty else { return .absent("not measured") }
        var traffic = LatencySeries.Traffic(intended: book.steered.count, sent: 0)
        var arrived = 0
        let samples = book.steered.map { shot -> LatencySample in
            var sample = shot.sample(since: start)
            guard let receipt = shot.receipt else { return sample }
            guard receipt.sentAt != nil else {
                sample.fate = .superseded
                return sample
            }
            traffic.sent += 1
            guard let at = sequence(shot).flatMap({ seen[$0] }) else { return sample }
            let ours = track.ours(at, near: shot.calledAt)
            // No message arrives before it was sent: it is one of another link, with the same number.
            guard (ours.at - shot.calledAt).nanoseconds >= -ours.bound else { return sample }
            arrived += 1
            let whole = (ours.at - shot.intendedAt).nanoseconds
            (sample.nanoseconds, sample.clockBoundNanoseconds) = (whole, ours.bound)
            sample.stages = StageTimes(
                whole: whole,
                known: [
                    .queue: (shot.calledAt - shot.intendedAt).nanoseconds,
                    // Encoding and handing over to the sockets is one step.
                    .encode: min((shot.returnedAt - shot.calledAt).nanoseconds, max(0, whole)),
                ])
            return sample
        }
        traffic.lostUp = traffic.sent - arrived
        var series = LatencySeries(
            samples: samples, warmUpDropped: book.warmUp.steering, traffic: traffic,
            clock: track.relation(over: samples, since: start), intendedHertz: book.hertz.steering,
            achievedHertz: book.steeringSeconds > 0 ? Double(arrived) / book.steeringSeconds : nil)
        series.endsAtSubscriber = true
        return .series(series)
    }

    /// What a recording has of the setpoints and commands. Parameters as of ``steering(_:since:_:sequence:)``.
    func entries(
        _ book: TurnResults, in recording: RunRecording, _ track: ClockTrack?, sequence: (SteeringAttempt) -> UInt32?
    ) -> [RecordingEntry] {
        let setpoints = book.steered.map { shot -> RecordingEntry in
            // Encoding and handing over to the sockets is one call: a setpoint may be observed before it returns.
            var passage = RunRecording.Passage(intendedAt: shot.intendedAt, sentAt: shot.calledAt)
            // Once the companion observes it on the vehicle's topic, it has reached the flight stack.
            let at = sequence(shot).flatMap { seen[$0] }
            passage.take(track?.clock(at: shot.calledAt), receivedAt: at, appliedAt: at)
            return recording.setpoint(
                passage, fate: at == nil ? nil : .applied, error: shot.receipt != nil ? nil : "the link refused it")
        }
        return setpoints
            + book.commanded.map {
                recording.command(
                    .init(intendedAt: $0.intendedAt, sentAt: $0.calledAt), answeredAt: $0.answeredAt, $0.reply)
            }
    }
}
