/// One exchange of four timestamps between two clocks (RFC 5905, section 8), nanoseconds.
package struct ClockExchangeSample: Hashable, Sendable {
    /// Its middle, on our clock.
    package var at: Int64
    /// Their clock minus ours, if both ways took as long.
    package var offset: Int64
    /// The time on the way, there and back. However it was split, the offset is within half of it.
    package var roundTrip: Int64
    /// How long the other end held the stamps, on its clock.
    package var held: Int64

    /// An exchange.
    package init(at: Int64, offset: Int64, roundTrip: Int64, held: Int64 = 0) {
        (self.at, self.offset, self.roundTrip, self.held) = (at, offset, roundTrip, held)
    }
}

/// The offset of two clocks at an instant, nanoseconds.
package struct ClockReading: Hashable, Sendable {
    /// Their clock minus ours.
    package var offset: Int64
    /// The largest error of ``offset``.
    package var bound: Int64

    /// A reading.
    package init(offset: Int64, bound: Int64) { (self.offset, self.bound) = (offset, bound) }
}
