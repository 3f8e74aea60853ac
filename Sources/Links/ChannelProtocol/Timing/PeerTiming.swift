package import UAVLink

/// One end's estimate of the peer's clock, the round trip and the loss.
///
/// Both ends' clocks continue during a suspend (CLOCK_BOOTTIME on Linux) and are therefore slewed by NTP. Display and
/// measurement use the drift of crystals, which is usually far closer; whether a setpoint or command may move the vehicle is
/// decided with the fastest possible slew, which always holds.
package struct PeerTiming {
    private var clock = ClockFilter(drift: ChannelTimes.drift)
    private var slewed = ClockFilter(drift: ChannelTimes.slew)
    package private(set) var roundTrips = RecentValues(capacity: 256)
    package private(set) var newest: ClockExchange?
    /// When ``newest`` ended.
    package private(set) var newestAt = MonotonicTime(nanoseconds: 0)
    /// How many exchanges there were.
    private(set) var exchangeCount: UInt64 = 0
    /// Loss of the frames we sent.
    package private(set) var outgoing = LossMeter()
    /// Loss of the frames sent to us.
    package private(set) var incoming = LossMeter()
    /// The newest heartbeat received, to be echoed.
    private(set) var echo: Heartbeat.Echo?
    private var echoSequence: UInt64 = 0
    /// Smoothed round trip and its deviation, nanoseconds (RFC 6298).
    private var smoothed: Int64?
    private var roundTripDeviation: Int64 = 0

    /// The peer's clock minus ours, valid as long as neither is slewed faster than a crystal drifts.
    package func estimate(now: MonotonicTime) -> ClockEstimate? { clock.estimate(now: now) }

    /// Converts an instant of the peer's clock to ours, once the offset is known; for display.
    func local(_ theirs: Int64, now: MonotonicTime) -> MonotonicTime? {
        estimate(now: now).map { MonotonicTime(nanoseconds: theirs &- $0.offset) }
    }

    /// Converts an instant of the peer's clock to ours, with its greatest possible age in nanoseconds; `nil` when the age cannot
    /// be bounded.
    func age(of theirs: Int64, now: MonotonicTime) -> (at: MonotonicTime, most: Int64)? {
        guard let estimate = slewed.estimate(now: now) else { return nil }
        let (at, beyond) = theirs.subtractingReportingOverflow(estimate.offset)
        let (age, past) = now.nanoseconds.subtractingReportingOverflow(at)
        let (most, over) = max(0, age).addingReportingOverflow(estimate.bound)
        return beyond || past || over ? nil : (MonotonicTime(nanoseconds: at), most)
    }

    /// A lower bound of the time left until that instant of the peer's clock, nanoseconds; negative when it may have passed,
    /// `nil` until the clock offset is known.
    func remaining(until theirs: Int64, now: MonotonicTime) -> Int64? {
        guard let estimate = slewed.estimate(now: now) else { return nil }
        return Self.difference(
            Self.difference(theirs, estimate.offset), Self.difference(now.nanoseconds, 0 &- estimate.bound))
    }

    /// Saturates at the limits of `Int64`: an instant from the wire may have any value.
    private static func difference(_ value: Int64, _ other: Int64) -> Int64 {
        let (difference, overflow) = value.subtractingReportingOverflow(other)
        return overflow ? (value < 0 ? .min : .max) : difference
    }

    mutating func add(_ exchange: ClockExchange?, now: MonotonicTime) {
        guard let exchange else { return }
        (newest, newestAt) = (exchange, now)
        exchangeCount &+= 1
        roundTrips.add(exchange.roundTrip)
        smooth(exchange.roundTrip)
        clock.add(exchange, at: now)
        slewed.add(exchange, at: now)
    }

    /// Echoes the welcome's time in the first heartbeat, so that the companion knows the clock offset from then on.
    mutating func takeWelcome(sent: Int64, now: MonotonicTime) {
        echo = Heartbeat.Echo(sent: sent, received: now.nanoseconds)
    }

    /// Processes a heartbeat received now in the frame with that sequence number.
    mutating func take(_ heartbeat: Heartbeat, sequence: UInt64, now: MonotonicTime, cipher: FrameCipher) {
        guard sequence > echoSequence else { return }
        echoSequence = sequence
        if let echo = heartbeat.echo {
            add(
                ClockExchange(
                    sent: echo.sent, receivedThere: echo.received, sentThere: heartbeat.sent, received: now.nanoseconds),
                now: now)
        }
        echo = Heartbeat.Echo(sent: heartbeat.sent, received: now.nanoseconds)
        outgoing.note(highest: heartbeat.highestReceived, received: heartbeat.framesReceived)
        incoming.note(highest: cipher.window.newest, received: cipher.received)
    }

    /// A heartbeat to send now; each echo is sent once, so that no exchange is counted twice.
    mutating func heartbeat(now: MonotonicTime, cipher: FrameCipher) -> Heartbeat {
        var heartbeat = Heartbeat()
        heartbeat.sent = now.nanoseconds
        heartbeat.echo = echo
        heartbeat.highestReceived = cipher.window.newest
        heartbeat.framesReceived = cipher.received
        echo = nil
        return heartbeat
    }

    /// The resend timeout: the smoothed round trip, four times its deviation (RFC 6298), and an allowance for the peer's
    /// scheduling.
    var resendAfter: Duration {
        guard let smoothed else { return ChannelTimes.resendUnknown }
        let wait = Duration.nanoseconds(smoothed + 4 * roundTripDeviation) + .milliseconds(10)
        return min(max(wait, ChannelTimes.resendShortest), ChannelTimes.resendLongest)
    }

    private mutating func smooth(_ roundTrip: Int64) {
        guard let old = smoothed else {
            smoothed = roundTrip
            roundTripDeviation = roundTrip / 2
            return
        }
        roundTripDeviation = (3 * roundTripDeviation + abs(old - roundTrip)) / 4
        smoothed = (7 * old + roundTrip) / 8
    }
}
