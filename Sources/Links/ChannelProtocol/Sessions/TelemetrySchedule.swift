internal import UAVLink

/// Schedules the parts of telemetry that the companion sends.
struct TelemetrySchedule {
    private var states: RateLimiter
    /// The arrival time of the pose in the last state frame.
    private var sentPoseAt: MonotonicTime?
    private var nextDetails: MonotonicTime
    private var nextMessages: MonotonicTime
    private var nextExtras: MonotonicTime
    private var nextRates: MonotonicTime
    /// What the vehicle can do, sent with the rates; `nil` if it is not known. A change is sent at once.
    var capabilities: VehicleCapabilities? {
        didSet {
            guard capabilities != oldValue else { return }
            nextExtras = MonotonicTime(nanoseconds: 0)
            nextRates = nextExtras
            tellsCapabilities = true
        }
    }
    /// Whether the ground has not been told the capabilities, or not the present ones.
    private var tellsCapabilities = true
    private var sentTracker: TrackerStatus?
    /// How many state frames were sent.
    private(set) var statesSent: UInt64 = 0
    /// The newest message that the ground has acknowledged.
    private(set) var messagesSeen: UInt64 = 0

    /// - Parameter statePeriod: the interval between state frames.
    init(statePeriod: Duration, now: MonotonicTime) {
        states = RateLimiter(period: statePeriod, start: now)
        nextDetails = now
        nextMessages = now
        nextExtras = now
        nextRates = now
    }

    /// The session was opened: everything is due.
    mutating func begin(now: MonotonicTime) {
        states.restart(now: now)
        nextDetails = now
        nextMessages = now
        nextExtras = now
        nextRates = now
        tellsCapabilities = true
    }

    mutating func note(messagesSeen number: UInt64) { messagesSeen = max(messagesSeen, number) }

    func nextDeadline(_ telemetry: Telemetry, hasMessages: Bool) -> MonotonicTime {
        let nextState = states.deadline(hasUpdate: hasUpdate(telemetry))
        // `min` with four arguments allocates an array.
        let earliest = min(nextState, nextDetails, nextExtras)
        return hasMessages ? min(earliest, nextMessages) : earliest
    }

    /// Whether the pose is newer than that of the last state frame.
    private func hasUpdate(_ telemetry: Telemetry) -> Bool { telemetry.pose.map { $0.at != sentPoseAt } ?? false }

    /// Seals the part that is due and returns its length; 0 when none is due.
    mutating func nextFrame(
        _ telemetry: Telemetry, _ messages: MessageLog, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime,
        cipher: FrameCipher
    ) -> Int {
        // What the vehicle is comes before what it does: a ground must not judge, or name, a vehicle by another's capabilities.
        if tellsCapabilities, capabilities != nil {
            return nextExtrasFrame(telemetry, into: buffer, now: now, cipher: cipher)
        }
        if states.takes(now: now, updateAt: hasUpdate(telemetry) ? telemetry.pose?.at : nil) {
            statesSent += 1
            sentPoseAt = telemetry.pose?.at
            return cipher.seal(into: buffer) { TelemetryCoding.writeState(telemetry, sent: now, &$0) }
        }
        if nextDetails <= now || telemetry.tracker?.value != sentTracker {
            nextDetails = now + ChannelTimes.details
            sentTracker = telemetry.tracker?.value
            return cipher.seal(into: buffer) { TelemetryCoding.writeDetails(telemetry, sent: now, &$0) }
        }
        if messages.hasUpdate(after: messagesSeen), nextMessages <= now {
            nextMessages = now + ChannelTimes.messages
            return cipher.seal(into: buffer) { messages.write(after: messagesSeen, sent: now, &$0) }
        }
        return nextExtras <= now ? nextExtrasFrame(telemetry, into: buffer, now: now, cipher: cipher) : 0
    }

    /// Seals the extras, with the rates and the capabilities if those are due; returns 0 when there is nothing to say.
    private mutating func nextExtrasFrame(
        _ telemetry: Telemetry, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, cipher: FrameCipher
    ) -> Int {
        nextExtras = now + ChannelTimes.extras
        let withRates = nextRates <= now
        if withRates {
            nextRates = now + ChannelTimes.rates
            tellsCapabilities = false
        }
        guard ExtrasCoding.hasContent(telemetry, withRates: withRates, capabilities: capabilities) else { return 0 }
        return cipher.seal(into: buffer) {
            ExtrasCoding.write(telemetry, withRates: withRates, capabilities: capabilities, sent: now, &$0)
        }
    }
}
