/// Finds when a vehicle began to move, in its odometry: the change point of a cumulative sum (Page 1954, Continuous
/// inspection schemes), judged by the noise that the same odometry had before the push.
///
/// A fixed threshold would be crossed the later, the higher it has to be for a noisy estimator; the change point is
/// where the sum began to grow, so that the latency does not depend on how certain the detection has to be.
package struct MotionOnset: Sendable {
    private var rest: [Double] = []
    private var mean = 0.0
    private var deviation = 0.0
    private var sum = 0.0
    private var candidate: Int64?
    /// When the motion began, nanoseconds; `nil` until it is detected.
    package private(set) var onsetNanoseconds: Int64?

    /// Deviations by which the speed has to differ to count at all: half the least shift that is looked for. With less,
    /// noise right before the motion is taken for its beginning.
    private static let slack = 2.0
    /// The sum, in deviations, that is an alarm. Independent noise reaches it in none of 10^14 values (Siegmund's
    /// approximation); that of an estimator is correlated, which takes most of this margin.
    private static let alarm = 8.0
    /// The least speed that is a motion, metres per second, whatever the noise; a push reaches 0.5 m/s.
    private static let least = 0.08
    /// Least deviation, metres per second: a simulated vehicle has none.
    private static let leastDeviation = 0.005
    /// Fewer values do not tell the noise; then it is taken as ``unknownDeviation``.
    private static let leastRest = 5
    /// Metres per second: that of a hovering vehicle's estimated speed is below.
    private static let unknownDeviation = 0.03

    /// Begins with a noise that is not known.
    ///
    /// - Parameter rest: the speed along the push before it, metres per second.
    package init(rest: Double) {
        mean = rest
        deviation = Self.unknownDeviation
    }

    /// The noise floor: the deviation of the speed before the push, metres per second.
    package var noiseMetresPerSecond: Double { deviation }

    /// A speed along the push before it begins, metres per second.
    package mutating func takeRest(_ speed: Double) {
        guard speed.isFinite else { return }
        rest.append(speed)
        guard rest.count >= Self.leastRest else { return }
        mean = rest.reduce(0, +) / Double(rest.count)
        let squares = rest.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = max(Self.leastDeviation, (squares / Double(rest.count - 1)).squareRoot())
    }

    /// A speed along the push after its beginning, metres per second.
    ///
    /// - Returns: whether the motion has been detected.
    @discardableResult
    package mutating func takeMotion(_ speed: Double, at nanoseconds: Int64) -> Bool {
        guard onsetNanoseconds == nil, speed.isFinite else { return onsetNanoseconds != nil }
        let change = speed - mean
        sum = max(0, sum + change / deviation - Self.slack)
        // A vehicle that hovers drifts: a slow change that goes before the motion is not its beginning.
        if sum == 0 || change < Self.least / 2 {
            candidate = nil
        } else if candidate == nil {
            candidate = nanoseconds
        }
        guard sum > Self.alarm, change >= Self.least else { return false }
        onsetNanoseconds = candidate
        return true
    }
}
