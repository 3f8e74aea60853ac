internal import UAVLink

/// How far apart two clocks are, and how sure that is.
struct ClockEstimate: Equatable {
    /// The other end's clock minus ours, nanoseconds.
    var offset: Int64
    /// The truth is within this of ``offset``, nanoseconds, whatever way the delay was shared.
    var bound: Int64

    /// Whether both can be true.
    func agrees(with other: Self) -> Bool {
        let (apart, overflow) = offset.subtractingReportingOverflow(other.offset)
        return !overflow && apart.magnitude <= (bound &+ other.bound).magnitude
    }
}

/// One exchange of four timestamps (RFC 5905, section 8): sent, received there, sent there, received; nanoseconds.
struct ClockExchange: Equatable {
    var roundTrip: Int64
    var offset: Int64
    /// From the first of the four to the last.
    var span: Int64

    /// Nothing when the times contradict each other or lie more than a minute apart.
    init?(sent: Int64, receivedThere: Int64, sentThere: Int64, received: Int64) {
        let whole = received &- sent
        let held = sentThere &- receivedThere
        let longest: Int64 = 60_000_000_000
        guard (0...longest).contains(whole), (0...longest).contains(held), whole >= held else { return nil }
        roundTrip = whole - held
        span = whole
        offset = (receivedThere &- sent) / 2 &+ (sentThere &- received) / 2
    }

    /// What is known of the clocks, that long after the exchange, when they run apart by at most `drift` in nanoseconds per
    /// nanosecond.
    func estimate(age: Int64, drift: Double) -> ClockEstimate {
        // A nanosecond for the halving. During the exchange itself the clocks ran apart too.
        let apart = (Double(span) + Double(max(0, age))) * drift
        return ClockEstimate(offset: offset, bound: roundTrip / 2 &+ 1 &+ Int64(apart))
    }
}

/// Keeps the exchange that bounds the offset best: the quickest one, as long as drift has not made it worse than a newer, and
/// no newer one contradicts it.
struct ClockFilter {
    /// How fast the two clocks may run apart at most, nanoseconds per nanosecond.
    let drift: Double
    private var best: (exchange: ClockExchange, at: Int64)?

    init(drift: Double) { self.drift = drift }

    mutating func add(_ exchange: ClockExchange, at now: MonotonicTime) {
        let new = exchange.estimate(age: 0, drift: drift)
        // Both were true when they were made: where they cannot both be true now, a clock ran faster than the drift allows.
        if let old = estimate(now: now), old.bound <= new.bound, old.agrees(with: new) { return }
        best = (exchange, now.nanoseconds)
    }

    func estimate(now: MonotonicTime) -> ClockEstimate? {
        best.map { $0.exchange.estimate(age: now.nanoseconds &- $0.at, drift: drift) }
    }
}
