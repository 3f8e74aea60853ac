internal import ReportKit
package import Statistics

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A distribution for a plot with a vertical axis in nines: 0 is none of the values, 1 is 90 percent, 2 is 99 percent.
package struct TailCurve: Hashable, Sendable {
    /// A value and the share of values at or below it.
    package struct Point: Hashable, Sendable {
        package var nanoseconds: Int64
        /// The number of nines: the decimal logarithm of one over the share that is greater.
        package var nines: Double
    }

    /// From the smallest value to the greatest.
    package let points: [Point]

    /// Largest number of points of a curve: more are not visible.
    static let most = 400

    /// The curve of these values.
    ///
    /// The greatest of n values is at 1 - 1/(n + 1): a run cannot show what lies beyond it.
    ///
    /// - Parameter lost: how many never arrived; they are greater than all others, so that the curve ends in a plateau
    ///   below them.
    package init(_ samples: Samples, lost: Int = 0) {
        let sorted = samples.sorted
        let total = Double(sorted.count) + Double(max(0, lost))
        guard let first = sorted.first else {
            points = []
            return
        }
        let top = log10(total + 1)
        var points = [Point(nanoseconds: first, nines: 0)]
        var last = 0
        for step in 1...Self.most {
            // Evenly along the axis, so that the few values of the tail are all kept.
            let beyond = pow(10, -top * Double(step) / Double(Self.most)) * (total + 1)
            let rank = min(sorted.count, max(1, Int(saturating: (total + 1 - beyond).rounded())))
            guard rank > last else { continue }
            last = rank
            points.append(
                Point(
                    nanoseconds: sorted[rank - 1],
                    nines: -log10(1 - Double(rank) / (total + 1))))
        }
        self.points = points
    }

    /// The axis label of a number of nines: `0 %`, `90 %`, `99.9 %`.
    package static func title(nines: Int) -> String {
        switch nines {
        case ...0: "0 %"
        case 1: "90 %"
        case 2: "99 %"
        default: "99." + String(repeating: "9", count: nines - 2) + " %"
        }
    }
}
