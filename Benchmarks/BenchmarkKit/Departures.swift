package import Statistics

/// When the datagrams of a control loop left.
package struct Departures: Hashable, Sendable {
    /// From one to the next, nanoseconds.
    package let intervals: [Int64]

    /// - Parameter times: in ascending order, nanoseconds.
    package init(at times: [Int64]) { intervals = zip(times, times.dropFirst()).map { $1 - $0 } }

    /// How many left in a second, on average; not a number for fewer than two.
    package var hertz: Double {
        let sum = intervals.reduce(0.0) { $0 + Double($1) }
        return sum > 0 ? Double(intervals.count) * 1e9 / sum : .nan
    }

    /// How far intervals are from the period of the loop, either way, nanoseconds.
    package func jitter(of period: Duration) -> Samples {
        let period = period.wholeNanoseconds
        return Samples(intervals.map { abs($0 - period) })
    }
}
