/// Tells when a vehicle has come to rest: its speed no longer changes more than its odometry's noise.
///
/// ``MotionOnset`` takes the speed before a push for constant. A speed that still falls, after a way back on which the
/// vehicle brakes, goes on falling after the push has begun, and would be taken for its effect.
package struct RestDetector: Sendable {
    /// How many speeds are compared: the older half with the newer.
    package static let window = 10
    /// The least difference between the halves that is a change, metres per second. With 20 ms between the speeds
    /// it is 0.03 m/s^2, which half a second later is still within the slack of ``MotionOnset``.
    private static let least = 0.003
    /// The difference between two means of noise, in its standard errors, that is still no change.
    private static let errors = 2.0

    private var speeds: [(x: Double, y: Double)] = []

    package init() {}

    /// Adds a speed, and says whether the newest ``window`` of them are those of a vehicle at rest.
    ///
    /// - Parameters: the horizontal speed, metres per second.
    package mutating func add(x: Double, y: Double) -> Bool {
        speeds.append((x, y))
        if speeds.count > Self.window { speeds.removeFirst() }
        guard speeds.count == Self.window else { return false }
        return [speeds.map(\.x), speeds.map(\.y)].allSatisfy(Self.isConstant)
    }

    private static func isConstant(_ values: [Double]) -> Bool {
        let half = values.count / 2
        let (older, newer) = (values.prefix(half), values.suffix(half))
        let means = (mean(older), mean(newer))
        let squares = (squares(older, about: means.0) + squares(newer, about: means.1)) / Double(2 * (half - 1))
        let standardError = (squares * 2 / Double(half)).squareRoot()
        // Not a number is no rest.
        return abs(means.0 - means.1) <= max(least, errors * standardError)
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double {
        values.reduce(0, +) / Double(values.count)
    }

    private static func squares(_ values: ArraySlice<Double>, about mean: Double) -> Double {
        values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
}
