package import Statistics

/// The delays of all that was intended, lost ones as infinite (RFC 7679, section 3.4 and 4.1): a link that loses its
/// late packets has no better percentiles than one that delivers them.
package struct IntendedSamples: Hashable, Sendable {
    /// A percentile of all that was intended.
    package enum Quantile: Hashable, Sendable {
        /// The delay, nanoseconds.
        case delay(Int64)
        /// It lies among those that were lost.
        case lost
    }

    /// Those that arrived.
    package let delivered: Samples
    /// How many were intended.
    package let intended: Int

    /// - Parameter intended: at least the number of those that arrived.
    package init(delivered: Samples, intended: Int) {
        self.delivered = delivered
        self.intended = max(intended, delivered.count)
    }

    /// How many were lost.
    package var lost: Int { intended - delivered.count }

    /// The value at a percentile by nearest rank; `nil` if nothing was intended.
    package func value(at percentile: Percentile) -> Quantile? {
        guard intended > 0 else { return nil }
        let rank = percentile.rank(of: intended)
        return rank <= delivered.count ? .delay(delivered.sorted[rank - 1]) : .lost
    }

    /// The percentile; `nil` if too few were intended for it to be meaningful.
    package func reported(_ percentile: Percentile) -> Quantile? {
        intended >= percentile.minimumCount ? value(at: percentile) : nil
    }

    /// The greatest; lost if any was.
    package var maximum: Quantile? { lost > 0 ? .lost : delivered.maximum.map(Quantile.delay) }
}
