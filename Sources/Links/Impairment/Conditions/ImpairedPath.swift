public import UAVLink

/// One direction through an impaired network: when data sent now arrives. Deterministic for a seed.
public struct ImpairedPath<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// The impairment of what is sent from now on.
    public var impairment: Impairment {
        // The opportunities of another trace have other numbers.
        didSet { if impairment.trace != oldValue.trace { line = TraceLine() } }
    }
    private var random: Random
    private let start: MonotonicTime
    private var lineFreeAt: MonotonicTime
    private var line = TraceLine()
    private var lastArrival = MonotonicTime(nanoseconds: .min)
    /// Whether Gilbert's model is in its bad state.
    private var isBad = false
    /// The newest share of the jitter, 0 to 1.
    private var jitterShare: Double?

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
        let isLost = loses()
        let copies = chance(impairment.duplication) ? 2 : 1
        let ways = (0..<copies).map { _ in way() }
        guard !isLost, blackoutEnd(at: now) == nil, let sent = pass(bytes, at: now, queue: queue)
        else {
            return []
        }
        guard impairment.correlation > 0 else { return ways.map { sent + $0.delay } }
        return ways.map { way in
            // What is late on purpose does not hold back the others.
            if way.isLate { return sent + way.delay }
            lastArrival = max(lastArrival, sent + way.delay)
            return lastArrival
        }
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
    public func isBacklogged(at now: MonotonicTime) -> Bool { lineFreeAt - now > queue }

    /// How long the line takes to send all that may wait for it.
    private var queue: Duration {
        guard let bytes = impairment.queueBytes, let rate = impairment.bitsPerSecond else {
            return Impairment.queueLength
        }
        return .nanoseconds(Int64(Double(bytes) * 8e9 / rate))
    }

    /// Whether the next datagram is lost. One random number each, so that bursts do not change the sequence of other impairments.
    private mutating func loses() -> Bool {
        guard impairment.burst > 1, impairment.loss > 0, impairment.loss < 1 else { return chance(impairment.loss) }
        // So that `loss` of all packets meet the bad state, which lasts for `burst` of them on average.
        let begins = impairment.loss / (1 - impairment.loss) / impairment.burst
        isBad = chance(isBad ? 1 - 1 / impairment.burst : begins)
        return isBad
    }

    /// The end of the blackout that contains `now`; `nil` outside of it.
    private func blackoutEnd(at now: MonotonicTime) -> MonotonicTime? {
        guard let blackout = impairment.blackout else { return nil }
        let begin = start + blackout.at
        return now >= begin && now < begin + blackout.length ? begin + blackout.length : nil
    }

    /// When the last bit has left the line; `nil` if it would have to wait longer than the queue allows.
    private mutating func pass(_ bytes: Int, at now: MonotonicTime, queue: Duration?) -> MonotonicTime? {
        if let trace = impairment.trace, queue != nil {
            // An opportunity is of a whole millisecond: one that has begun is over.
            let at = ((now - start).nanoseconds + 999_999) / 1_000_000
            return line.pass(
                bytes, at: at, over: trace, queueBytes: impairment.queueBytes ?? Impairment.traceQueueBytes
            ).map { start + .milliseconds($0) }
        }
        guard let rate = impairment.bitsPerSecond else { return now }
        let begin = max(now, lineFreeAt)
        if let queue {
            // With bytes counted, the packet itself has to fit too; the one that is being sent waits no more.
            let own = impairment.queueBytes == nil ? .zero : Duration.nanoseconds(Int64(Double(bytes) * 8e9 / rate))
            if begin - now + own > queue { return nil }
        }
        lineFreeAt = begin + .nanoseconds(Int64(Double(bytes) * 8e9 / rate))
        return lineFreeAt
    }

    private mutating func way() -> (delay: Duration, isLate: Bool) {
        let isLate = chance(impairment.reordering)
        return (impairment.delay + jitter() + (isLate ? impairment.reorderingDelay : .zero), isLate)
    }

    private mutating func jitter() -> Duration {
        let new = Int64.random(in: 0...max(0, impairment.jitter.nanoseconds), using: &random)
        guard impairment.correlation > 0, impairment.jitter > .zero else { return .nanoseconds(new) }
        let share = Double(new) / Double(impairment.jitter.nanoseconds)
        let next = impairment.correlation * (jitterShare ?? share) + (1 - impairment.correlation) * share
        jitterShare = next
        return impairment.jitter * next
    }

    /// Like `Double.random(in: 0..<1)`, which looks up its generic parts on every call.
    private mutating func chance(_ share: Double) -> Bool {
        Double(random.next() & ((1 << 53) - 1)) * 0x1p-53 < share
    }
}
