public import UAVLink

/// One direction through an impaired network: when data sent now arrives. Deterministic for a seed.
public struct ImpairedPath<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// The impairment of what is sent from now on.
    public var impairment: Impairment
    private var random: Random
    private let start: MonotonicTime
    private var lineFreeAt: MonotonicTime
    private var lastArrival = MonotonicTime(nanoseconds: .min)

    /// Creates a path that begins at `start`, with a source of random numbers.
    public init(_ impairment: Impairment = .none, start: MonotonicTime, random: Random) {
        self.impairment = impairment
        self.start = start
        self.random = random
        lineFreeAt = start
    }

    /// When copies of a datagram sent now arrive; empty if it is lost.
    public mutating func arrivals(ofDatagram bytes: Int, at now: MonotonicTime) -> [MonotonicTime] {
        // All random numbers are drawn for every datagram, so that one impairment does not change the sequence of another.
        let isLost = chance(impairment.loss)
        let copies = chance(impairment.duplication) ? 2 : 1
        let ways = (0..<copies).map { _ in way() }
        guard !isLost, blackoutEnd(at: now) == nil, let sent = pass(bytes, at: now, queue: Impairment.queueLength)
        else {
            return []
        }
        return ways.map { sent + $0 }
    }

    /// When a chunk of a stream sent now arrives: never before an earlier chunk.
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

    /// Whether a stream's sender must be held back, since queued data would wait too long.
    public func isBacklogged(at now: MonotonicTime) -> Bool { lineFreeAt - now > Impairment.queueLength }

    /// The end of the blackout that contains `now`; `nil` outside of it.
    private func blackoutEnd(at now: MonotonicTime) -> MonotonicTime? {
        guard let blackout = impairment.blackout else { return nil }
        let begin = start + blackout.at
        return now >= begin && now < begin + blackout.length ? begin + blackout.length : nil
    }

    /// When the last bit has left the line; `nil` if it would have to wait longer than the queue allows.
    private mutating func pass(_ bytes: Int, at now: MonotonicTime, queue: Duration?) -> MonotonicTime? {
        guard let rate = impairment.bitsPerSecond else { return now }
        let begin = max(now, lineFreeAt)
        if let queue, begin - now > queue { return nil }
        lineFreeAt = begin + .nanoseconds(Int64(Double(bytes) * 8e9 / rate))
        return lineFreeAt
    }

    private mutating func way() -> Duration {
        let isLate = chance(impairment.reordering)
        return impairment.delay + jitter() + (isLate ? impairment.reorderingDelay : .zero)
    }

    private mutating func jitter() -> Duration {
        .nanoseconds(Int64.random(in: 0...max(0, impairment.jitter.nanoseconds), using: &random))
    }

    /// Like `Double.random(in: 0..<1)`, which looks up its generic parts on every call.
    private mutating func chance(_ share: Double) -> Bool {
        Double(random.next() & ((1 << 53) - 1)) * 0x1p-53 < share
    }
}
