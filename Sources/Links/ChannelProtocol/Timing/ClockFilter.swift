internal import UAVLink

/// The offset of two clocks and its error bound.
package struct ClockEstimate: Equatable {
    /// The peer's clock minus ours, nanoseconds.
    package var offset: Int64
    /// The largest possible error of ``offset``, nanoseconds, however the delay was split between the directions.
    package var bound: Int64

    /// Whether both estimates can be true.
    func agrees(with other: Self) -> Bool {
        let (apart, overflow) = offset.subtractingReportingOverflow(other.offset)
        return !overflow && apart.magnitude <= (bound &+ other.bound).magnitude
    }
}

/// One exchange of four timestamps (RFC 5905, section 8): sent, received by the peer, sent by the peer, received; nanoseconds.
package struct ClockExchange: Equatable {
    package var roundTrip: Int64
    package var offset: Int64
    /// From the first timestamp to the last.
    var span: Int64

    /// `nil` when the timestamps are inconsistent or span more than a minute.
    init?(sent: Int64, receivedThere: Int64, sentThere: Int64, received: Int64) {
        let whole = received &- sent
        let held = sentThere &- receivedThere
        let longest: Int64 = 60_000_000_000
        guard (0...longest).contains(whole), (0...longest).contains(held), whole >= held else { return nil }
        roundTrip = whole - held
        span = whole
        offset = (receivedThere &- sent) / 2 &+ (sentThere &- received) / 2
    }

    /// The estimate at that age of the exchange, when the clocks diverge by at most `drift` in nanoseconds per nanosecond.
    func estimate(age: Int64, drift: Double) -> ClockEstimate {
        // One nanosecond for the rounding of the division; the clocks also diverged during the exchange.
        let apart = (Double(span) + Double(max(0, age))) * drift
        return ClockEstimate(offset: offset, bound: roundTrip / 2 &+ 1 &+ Int64(apart))
    }
}

/// Keeps the exchange with the smallest error bound: the quickest one, until drift makes it worse than a newer one, or a newer
/// one contradicts it.
struct ClockFilter {
    /// The largest divergence of the two clocks, nanoseconds per nanosecond.
    let drift: Double
    private var best: (exchange: ClockExchange, at: Int64)?

    init(drift: Double) { self.drift = drift }

    mutating func add(_ exchange: ClockExchange, at now: MonotonicTime) {
        let new = exchange.estimate(age: 0, drift: drift)
        // Both were valid when made: if they cannot both be true now, a clock ran faster than the drift allows.
        if let old = estimate(now: now), old.bound <= new.bound, old.agrees(with: new) { return }
        best = (exchange, now.nanoseconds)
    }

    func estimate(now: MonotonicTime) -> ClockEstimate? {
        best.map { $0.exchange.estimate(age: now.nanoseconds &- $0.at, drift: drift) }
    }
}
