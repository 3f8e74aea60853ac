/// The offset of two clocks at every instant of a run, from all exchanges of timestamps.
///
/// Each exchange says within which corridor the offset was at its instant: half a round trip to either side, however the
/// delay was split.
/// ```
///   offset │      ┬        ┬            of each second the narrowest counts
///          │ ┬    │   ┬    │   ┬
///          │ │ ╌╌╌┼╌╌╌┼╌╌╌╌┼╌╌╌┼╌╌  a line through all corridors of a minute to either side: the skew of the clocks
///          │ ┴    ┴   ┴        ┴        (the envelope of the quickest exchanges, as of Moon, Skelly and Towsley, INFOCOM 1999)
///          └───────────────────────── time
/// ```
/// All lines that pass bound the skew from both sides. An instant's offset lies in each corridor, moved there by that
/// skew; the reading is the middle of what they have in common, and its bound half of that. Where no line passes, since a
/// clock was slewed meanwhile, corridors widen by ``largestSkew`` instead.
package struct ClockTrack: Sendable {
    /// The largest skew between two clocks, nanoseconds per nanosecond: what the kernel lets NTP run a clock faster or slower
    /// (500 ppm, adjtimex), which is more than two crystals differ (200 ppm).
    package static let largestSkew = 0.0005
    /// How much the skew changes within the two minutes of a line, beyond what the exchanges say: crystals drift with temperature.
    package static let wander = 1e-6
    /// Corridors farther from an instant than this are not looked at. A line goes through those of twice that to either side.
    static let reach: Int64 = 30_000_000_000
    private static let bucket: Int64 = 1_000_000_000

    /// Skews that the exchanges of a minute allow.
    struct Skew: Hashable, Sendable {
        /// The middle.
        var middle: Double
        /// How far the true one may be from it.
        var error: Double
    }

    private let start: Int64
    /// The narrowest corridor of each second, in their order.
    private let quickest: [ClockExchangeSample]
    /// The skew around each second half minute.
    private let skews: [Skew]
    private let constant: ClockReading?

    /// From all exchanges of a session, in any order; `nil` if there is none.
    package init?(_ exchanges: [ClockExchangeSample]) {
        let sorted = exchanges.filter { $0.roundTrip >= 0 && $0.held >= 0 }.sorted { $0.at < $1.at }
        guard let first = sorted.first, let last = sorted.last else { return nil }
        var quickest: [ClockExchangeSample] = []
        var second = Int64.min
        for exchange in sorted {
            let own = (exchange.at &- first.at) / Self.bucket
            if own != second {
                quickest.append(exchange)
                second = own
            } else if let best = quickest.last, exchange.roundTrip < best.roundTrip {
                quickest[quickest.count - 1] = exchange
            }
        }
        start = first.at
        self.quickest = quickest
        // Stamps from the wire may have any value.
        let count = Int(clamping: max(0, last.at &- first.at) / Self.reach) + 1
        var skews: [Skew] = []
        for index in 0..<min(count, 100_000) {
            let middle = first.at &+ Int64(clamping: index) &* Self.reach &+ Self.reach / 2
            skews.append(Self.skew(Self.near(middle, in: quickest, within: 2 * Self.reach)))
        }
        self.skews = skews
        constant = nil
    }

    /// Clocks whose offset is known and the same throughout.
    package init(constant: ClockReading) {
        (start, quickest, skews, self.constant) = (0, [], [], constant)
    }

    /// The offset at an instant of our clock, nanoseconds.
    package func reading(at instant: Int64) -> ClockReading {
        if let constant { return constant }
        let place = min(max(0, Int(clamping: (instant &- start) / Self.reach)), skews.count - 1)
        let skew = skews.indices.contains(place) ? skews[place] : Self.unknown
        let near = Self.near(instant, in: quickest, within: Self.reach)
        if let common = Self.common(near, at: instant, skew) { return common }
        // A clock was slewed, or its session was another's: the nearest exchanges alone count.
        if let common = Self.common(near, at: instant, Self.unknown) { return common }
        let nearest = quickest.min { ($0.at &- instant).magnitude < ($1.at &- instant).magnitude }
        return nearest.flatMap { Self.common([$0][...], at: instant, Self.unknown) }
            ?? ClockReading(offset: 0, bound: .max)
    }

    private static let unknown = Skew(middle: 0, error: largestSkew)

    /// What all corridors have in common, moved to the instant; `nil` if nothing.
    private static func common(
        _ exchanges: ArraySlice<ClockExchangeSample>, at instant: Int64, _ skew: Skew
    ) -> ClockReading? {
        guard let reference = exchanges.first?.offset else { return nil }
        var (low, high) = (-Double.infinity, Double.infinity)
        for exchange in exchanges {
            let away = Double(instant &- exchange.at)
            let middle = Double(exchange.offset &- reference) + skew.middle * away
            // The other end's clock timed how long it held the stamps: one that is fast makes the round trip too short.
            let missing = (max(0, skew.middle) + skew.error) * Double(exchange.held)
            let half = (Double(exchange.roundTrip) + missing) / 2 + skew.error * abs(away) + 1
            (low, high) = (max(low, middle - half), min(high, middle + half))
        }
        guard low <= high, let middle = Int64(exactly: ((low + high) / 2).rounded()),
            let bound = Int64(exactly: ((high - low) / 2).rounded(.up))
        else { return nil }
        return ClockReading(offset: reference &+ middle, bound: bound &+ 1)
    }

    /// The exchanges within so much of an instant; the nearest if there are none.
    private static func near(
        _ instant: Int64, in exchanges: [ClockExchangeSample], within reach: Int64
    ) -> ArraySlice<ClockExchangeSample> {
        let from = first(in: exchanges) { $0.at >= instant &- reach }
        let until = first(in: exchanges) { $0.at > instant &+ reach }
        if from < until { return exchanges[from..<until] }
        // Between those before and those after.
        return exchanges[max(0, from - 1)..<min(exchanges.count, from + 1)]
    }

    private static func first(in exchanges: [ClockExchangeSample], _ isIn: (ClockExchangeSample) -> Bool) -> Int {
        var (low, high) = (0, exchanges.count)
        while low < high {
            let middle = (low + high) / 2
            if isIn(exchanges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: Skew

    /// The skews of all lines that pass through the corridors.
    private static func skew(_ exchanges: ArraySlice<ClockExchangeSample>) -> Skew {
        guard let first = exchanges.first, exchanges.count > 1 else { return unknown }
        let corridors = exchanges.map { exchange in
            let half = (Double(exchange.roundTrip) + largestSkew * Double(exchange.held)) / 2 + 1
            let middle = Double(exchange.offset &- first.offset)
            return (at: Double(exchange.at &- first.at), low: middle - half, high: middle + half)
        }
        /// How much room is left for lines of that skew: concave in it.
        func room(_ skew: Double) -> Double {
            var (low, high) = (-Double.infinity, Double.infinity)
            for corridor in corridors {
                low = max(low, corridor.low - skew * corridor.at)
                high = min(high, corridor.high - skew * corridor.at)
            }
            return high - low
        }
        var (left, right) = (-largestSkew, largestSkew)
        for _ in 0..<60 {
            let (a, b) = (left + (right - left) / 3, right - (right - left) / 3)
            if room(a) < room(b) { left = a } else { right = b }
        }
        let best = (left + right) / 2
        guard room(best) >= 0 else { return unknown }
        /// Where the room ends, from the best towards a limit.
        func edge(_ limit: Double) -> Double {
            guard room(limit) < 0 else { return limit }
            var (inside, outside) = (best, limit)
            for _ in 0..<50 {
                let middle = (inside + outside) / 2
                if room(middle) >= 0 { inside = middle } else { outside = middle }
            }
            return outside
        }
        let (least, most) = (edge(-largestSkew), edge(largestSkew))
        return Skew(middle: (least + most) / 2, error: (most - least) / 2 + wander)
    }
}
