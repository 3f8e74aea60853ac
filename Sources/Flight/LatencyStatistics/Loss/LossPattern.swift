package import Statistics

/// How losses are distributed over a schedule (RFC 3357): the same share of loss is harmless where single setpoints are
/// lost, and ends a flight where they are lost in a row. Counted within turns; the pause between two turns is no
/// distance.
package struct LossPattern: Hashable, Sendable {
    /// The lengths of the loss periods, in samples: how many were lost in a row.
    package let periods: Samples
    /// The loss distances: from each loss to the one before it, in samples; 1 within a period.
    package let distances: Samples

    /// The pattern of a schedule.
    package init(_ observations: some Sequence<DelayObservation>) {
        var (periods, distances): ([Int64], [Int64]) = ([], [])
        for turn in observations.byRound() {
            var last: Int?
            for (number, observation) in turn.enumerated() where observation.nanoseconds == nil {
                if let last { distances.append(Int64(clamping: number - last)) }
                if let last, number == last + 1, let length = periods.popLast() {
                    periods.append(length + 1)
                } else {
                    periods.append(1)
                }
                last = number
            }
        }
        (self.periods, self.distances) = (Samples(periods), Samples(distances))
    }
}
