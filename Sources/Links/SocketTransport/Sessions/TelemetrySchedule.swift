internal import UAVLink

/// Which part of the telemetry the companion sends next, and when.
struct TelemetrySchedule {
    private var states: NewsPacer
    /// When the pose of the last state frame had come.
    private var sentPoseAt: MonotonicTime?
    private var nextDetails: MonotonicTime
    private var nextMessages: MonotonicTime
    private var nextExtras: MonotonicTime
    private var nextRates: MonotonicTime
    private var sentTracker: TrackerStatus?
    /// How many state frames were made.
    private(set) var statesSent: UInt64 = 0
    /// The newest message that the ground has said it has.
    private(set) var messagesSeen: UInt64 = 0

    /// - Parameter statePeriod: from one state frame to the next.
    init(statePeriod: Duration, now: MonotonicTime) {
        states = NewsPacer(period: statePeriod, start: now)
        nextDetails = now
        nextMessages = now
        nextExtras = now
        nextRates = now
    }

    /// The ground is there: everything is due.
    mutating func begin(now: MonotonicTime) {
        states.restart(now: now)
        nextDetails = now
        nextMessages = now
        nextExtras = now
        nextRates = now
    }

    mutating func note(messagesSeen number: UInt64) { messagesSeen = max(messagesSeen, number) }

    func nextDeadline(_ telemetry: Telemetry, hasMessages: Bool) -> MonotonicTime {
        let nextState = states.deadline(hasNews: hasNews(telemetry))
        // Of four, `min` makes an array on the heap.
        let earliest = min(nextState, nextDetails, nextExtras)
        return hasMessages ? min(earliest, nextMessages) : earliest
    }

    /// Whether the pose is another than that of the last state frame.
    private func hasNews(_ telemetry: Telemetry) -> Bool { telemetry.pose.map { $0.at != sentPoseAt } ?? false }

    /// The part that is due, sealed; 0 when none is.
    mutating func nextFrame(
        _ telemetry: Telemetry, _ messages: MessageLog, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime,
        cipher: FrameCipher
    ) -> Int {
        if states.takes(now: now, newsAt: hasNews(telemetry) ? telemetry.pose?.at : nil) {
            statesSent += 1
            sentPoseAt = telemetry.pose?.at
            return cipher.seal(into: buffer) { TelemetryCoding.writeState(telemetry, sent: now, &$0) }
        }
        if nextDetails <= now || telemetry.tracker?.value != sentTracker {
            nextDetails = now + ChannelTimes.details
            sentTracker = telemetry.tracker?.value
            return cipher.seal(into: buffer) { TelemetryCoding.writeDetails(telemetry, sent: now, &$0) }
        }
        if messages.hasNews(after: messagesSeen), nextMessages <= now {
            nextMessages = now + ChannelTimes.messages
            return cipher.seal(into: buffer) { messages.write(after: messagesSeen, sent: now, &$0) }
        }
        if nextExtras <= now {
            nextExtras = now + ChannelTimes.extras
            let withRates = nextRates <= now
            if withRates { nextRates = now + ChannelTimes.rates }
            if ExtrasCoding.isWorthSending(telemetry, withRates: withRates) {
                return cipher.seal(into: buffer) {
                    ExtrasCoding.write(telemetry, withRates: withRates, sent: now, &$0)
                }
            }
        }
        return 0
    }
}
