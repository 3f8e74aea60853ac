internal import UAVLink

/// What one end knows of the other's clock, of the way between them and of what gets lost on it.
struct PeerTiming {
    private var clock = ClockFilter()
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

    /// The other end's clock minus ours.
    func estimate(now: MonotonicTime) -> ClockEstimate? { clock.estimate(now: now) }

    /// An instant of the other end's on our clock, once the offset is known.
    func local(_ theirs: Int64, now: MonotonicTime) -> (at: MonotonicTime, bound: Int64)? {
        guard let estimate = estimate(now: now) else { return nil }
        return (MonotonicTime(nanoseconds: theirs &- estimate.offset), estimate.bound)
    }

    mutating func add(_ exchange: ClockExchange?, now: MonotonicTime) {
        guard let exchange else { return }
        newest = exchange
        roundTrips.add(exchange.roundTrip)
        smooth(exchange.roundTrip)
        clock.add(exchange, at: now)
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
