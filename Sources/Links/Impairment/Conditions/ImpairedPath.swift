public import UAVLink

/// One way through a bad network: when what is sent now arrives. It does the same for the same seed.
public struct ImpairedPath<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// What is done to what is sent from now on.
    public var impairment: Impairment
    private var random: Random
    private let start: MonotonicTime
    private var lineFree: MonotonicTime
    private var lastArrival = MonotonicTime(nanoseconds: .min)

    /// A way that begins at `start`, with the random numbers given.
    public init(_ impairment: Impairment = .none, start: MonotonicTime, random: Random) {
        self.impairment = impairment
        self.start = start
        self.random = random
        lineFree = start
    }

    /// When copies of a datagram sent now arrive; empty when it is lost.
    public mutating func arrivals(ofDatagram bytes: Int, at now: MonotonicTime) -> [MonotonicTime] {
        // Every die is cast for every datagram, so that one impairment does not change another's run.
        let isLost = chance(impairment.loss)
        let copies = chance(impairment.duplication) ? 2 : 1
        let ways = (0..<copies).map { _ in way() }
        guard !isLost, blackoutEnd(at: now) == nil, let sent = pass(bytes, at: now, queue: Impairment.queueLength)
        else {
            return []
        }
        return ways.map { sent + $0 }
    }

    /// When a piece of a stream sent now arrives: after all before it.
    public mutating func arrival(ofPiece bytes: Int, at now: MonotonicTime) -> MonotonicTime {
        let isLost = chance(impairment.loss)
        let delay = impairment.delay + jitter()
        let begin = blackoutEnd(at: now) ?? now
        let sent = pass(bytes, at: begin, queue: nil) ?? begin
        var at = sent + delay
        if isLost { at = at + impairment.delay + Impairment.retransmission }
        lastArrival = max(lastArrival, at)
        return lastArrival
    }

    /// Whether a stream's sender is to be held back: what is under way would wait too long already.
    public func isBacklogged(at now: MonotonicTime) -> Bool { lineFree - now > Impairment.queueLength }

    /// When the blackout ends in which `now` lies; `nil` outside of it.
    private func blackoutEnd(at now: MonotonicTime) -> MonotonicTime? {
        guard let blackout = impairment.blackout else { return nil }
        let begin = start + blackout.at
        return now >= begin && now < begin + blackout.length ? begin + blackout.length : nil
    }

    /// When the last bit of it has left the line; `nil` when it would have to wait longer than the queue is.
    private mutating func pass(_ bytes: Int, at now: MonotonicTime, queue: Duration?) -> MonotonicTime? {
        guard let rate = impairment.bitsPerSecond else { return now }
        let begin = max(now, lineFree)
        if let queue, begin - now > queue { return nil }
        lineFree = begin + .nanoseconds(Int64(Double(bytes) * 8e9 / rate))
        return lineFree
    }

    private mutating func way() -> Duration {
        let isLate = chance(impairment.reordering)
        return impairment.delay + jitter() + (isLate ? impairment.reorderingDelay : .zero)
    }

    private mutating func jitter() -> Duration {
        .nanoseconds(Int64.random(in: 0...max(0, impairment.jitter.nanoseconds), using: &random))
    }

    /// What `Double.random(in: 0..<1)` would give; that looks up its generic parts each time.
    private mutating func chance(_ share: Double) -> Bool {
        Double(random.next() & ((1 << 53) - 1)) * 0x1p-53 < share
    }
}
