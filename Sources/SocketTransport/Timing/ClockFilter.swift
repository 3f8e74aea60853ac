internal import UAVLink

/// How far apart two clocks are, and how sure that is.
struct ClockEstimate: Equatable {
    /// The other end's clock minus ours, nanoseconds.
    var offset: Int64
    /// The truth is within this of ``offset``, nanoseconds, whatever way the delay was shared.
    var bound: Int64
}

/// One exchange of four timestamps (RFC 5905, section 8): sent, received there, sent there, received; nanoseconds.
struct ClockExchange: Equatable {
    var roundTrip: Int64
    var offset: Int64

    /// Nothing when the times contradict each other or lie more than a minute apart.
    init?(sent: Int64, receivedThere: Int64, sentThere: Int64, received: Int64) {
        let whole = received &- sent
        let held = sentThere &- receivedThere
        let longest: Int64 = 60_000_000_000
        guard (0...longest).contains(whole), (0...longest).contains(held), whole >= held else { return nil }
        roundTrip = whole - held
        offset = (receivedThere &- sent) / 2 &+ (sentThere &- received) / 2
    }
}

/// Keeps the exchange that bounds the offset best: the quickest one, as long as drift has not made it worse than a newer.
struct ClockFilter {
    private var best: (exchange: ClockExchange, at: Int64)?

    mutating func add(_ exchange: ClockExchange, at now: MonotonicTime) {
        let bound = exchange.roundTrip / 2
        if let old = estimate(now: now), old.bound <= bound { return }
        best = (exchange, now.nanoseconds)
    }

    func estimate(now: MonotonicTime) -> ClockEstimate? {
        guard let best else { return nil }
        let age = max(0, now.nanoseconds &- best.at)
        // A nanosecond for the halving, and what the crystals may have drifted since.
        let bound = best.exchange.roundTrip / 2 &+ 1 &+ Int64(Double(age) * ChannelTimes.drift)
        return ClockEstimate(offset: best.exchange.offset, bound: bound)
    }
}
