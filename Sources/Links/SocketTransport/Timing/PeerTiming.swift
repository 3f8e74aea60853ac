internal import UAVLink

/// What one end knows of the other's clock, of the way between them and of what gets lost on it.
///
/// Both ends' clocks go on in a suspend (CLOCK_BOOTTIME on Linux), and so are slewed by NTP. What is shown and measured goes by
/// the drift of crystals, which is far closer mostly; whether something moves the vehicle goes by the fastest slew that there
/// is, which is true always.
struct PeerTiming {
    private var clock = ClockFilter(drift: ChannelTimes.drift)
    private var slewed = ClockFilter(drift: ChannelTimes.slew)
    private(set) var roundTrips = RecentValues(capacity: 256)
    private(set) var newest: ClockExchange?
    /// Of what we sent.
    private(set) var outgoing = LossMeter()
    /// Of what was sent to us.
    private(set) var incoming = LossMeter()
    /// The newest heartbeat that came, to be given back.
    private(set) var echo: Heartbeat.Echo?
    private var echoSequence: UInt64 = 0
    /// Round trip and its deviation, nanoseconds, as RFC 6298 smooths them.
    private var smoothed: Int64?
    private var wandering: Int64 = 0

    /// The other end's clock minus ours, as long as neither is slewed faster than a crystal drifts.
    func estimate(now: MonotonicTime) -> ClockEstimate? { clock.estimate(now: now) }

    /// An instant of the other end's on our clock, once the offset is known; for what is shown.
    func local(_ theirs: Int64, now: MonotonicTime) -> MonotonicTime? {
        estimate(now: now).map { MonotonicTime(nanoseconds: theirs &- $0.offset) }
    }

    /// An instant of the other end's on our clock, and how long ago it may have been at most, in nanoseconds; `nil` when
    /// nothing bounds that.
    func age(of theirs: Int64, now: MonotonicTime) -> (at: MonotonicTime, most: Int64)? {
        guard let estimate = slewed.estimate(now: now) else { return nil }
        let (at, beyond) = theirs.subtractingReportingOverflow(estimate.offset)
        let (age, past) = now.nanoseconds.subtractingReportingOverflow(at)
        let (most, over) = max(0, age).addingReportingOverflow(estimate.bound)
        return beyond || past || over ? nil : (MonotonicTime(nanoseconds: at), most)
    }

    /// How long it is surely not yet later than that instant of the other end's, nanoseconds; negative when it may have passed,
    /// `nil` until the clocks are known.
    func remaining(until theirs: Int64, now: MonotonicTime) -> Int64? {
        guard let estimate = slewed.estimate(now: now) else { return nil }
        return Self.difference(
            Self.difference(theirs, estimate.offset), Self.difference(now.nanoseconds, 0 &- estimate.bound))
    }

    /// Cut to what an `Int64` holds: an instant from the wire may be any.
    private static func difference(_ value: Int64, _ other: Int64) -> Int64 {
        let (difference, overflow) = value.subtractingReportingOverflow(other)
        return overflow ? (value < 0 ? .min : .max) : difference
    }

    mutating func add(_ exchange: ClockExchange?, now: MonotonicTime) {
        guard let exchange else { return }
        newest = exchange
        roundTrips.add(exchange.roundTrip)
        smooth(exchange.roundTrip)
        clock.add(exchange, at: now)
        slewed.add(exchange, at: now)
    }

    /// Takes the welcome's time as the first to be given back: so the companion knows the clocks with the first heartbeat.
    mutating func takeWelcome(sent: Int64, now: MonotonicTime) {
        echo = Heartbeat.Echo(sent: sent, received: now.nanoseconds)
    }

    /// Takes in a heartbeat that came now in the frame of that number.
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

    /// A heartbeat to send now; the echo goes out once, so that no exchange is counted twice.
    mutating func heartbeat(now: MonotonicTime, cipher: FrameCipher) -> Heartbeat {
        var heartbeat = Heartbeat()
        heartbeat.sent = now.nanoseconds
        heartbeat.echo = echo
        heartbeat.highestReceived = cipher.window.newest
        heartbeat.framesReceived = cipher.received
        echo = nil
        return heartbeat
    }

    /// How long to wait before something is sent again: the usual round trip, four times its wandering (RFC 6298), and
    /// the other end's scheduling.
    var resendAfter: Duration {
        guard let smoothed else { return ChannelTimes.resendUnknown }
        let wait = Duration.nanoseconds(smoothed + 4 * wandering) + .milliseconds(10)
        return min(max(wait, ChannelTimes.resendShortest), ChannelTimes.resendLongest)
    }

    private mutating func smooth(_ roundTrip: Int64) {
        guard let old = smoothed else {
            smoothed = roundTrip
            wandering = roundTrip / 2
            return
        }
        wandering = (3 * wandering + abs(old - roundTrip)) / 4
        smoothed = (7 * old + roundTrip) / 8
    }
}
