#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What a number of events in a time says of their rate.
package enum LapseRate {
    /// 95 percent of the normal distribution.
    private static let normalQuantile = 1.644_853_627

    /// The upper 95 percent bound of the rate of a Poisson process, events a second; `nil` without exposure.
    ///
    /// Without an event it is 3 / time (the rule of three: Hanley and Lippman-Hand 1983); with some, half the
    /// chi-square quantile with 2 (n + 1) degrees of freedom (Garwood 1936) by the approximation of Wilson and Hilferty
    /// (1931), within 1 percent.
    ///
    /// - Parameter seconds: how long was observed.
    package static func upperBound(events: Int, seconds: Double) -> Double? {
        guard seconds > 0, events >= 0 else { return nil }
        guard events > 0 else { return 3 / seconds }
        let count = Double(events) + 1
        let cube = 1 - 1 / (9 * count) + normalQuantile / (3 * count.squareRoot())
        return count * pow(cube, 3) / seconds
    }
}
