internal import ReportKit

/// The thresholds of the verdict. Each has its source; none was chosen to favour a link.
package struct FlightThresholds: Hashable, Sendable {
    /// The companion's lease: without a fresh setpoint for this long the vehicle is commanded to hover.
    package var leaseNanoseconds: Int64 = 200_000_000
    /// The time-out after which the vehicle's own tracker stops (fixed in its code; measured on the real stack). It is the
    /// only protection on links without a companion.
    package var trackerTimeOutNanoseconds: Int64 = 500_000_000
    /// The rate at which QGroundControl sends sticks while they move: at lower rates a pilot sees steps.
    package var stickHertz = 25.0
    /// PX4's offboard mode requires more than this, and ends after half a second without.
    package var minimumHertz = 2.0
    /// From this delay on people notice it (100 to 200 ms).
    package var noticeableDelayNanoseconds: Int64 = 100_000_000
    /// From this delay on people fly worse (200 to 300 ms).
    package var harmfulDelayNanoseconds: Int64 = 200_000_000
    /// Deceleration of the vehicle with the `medium` constraints, metres per second squared.
    package var brakingMetresPerSecondSquared = 2.0
    /// From a command to the tracker's output on the real stack.
    package var reactionNanoseconds: Int64 = 250_000_000
    /// The speed for which distances are stated, metres per second.
    package var speedMetresPerSecond = 2.0
    /// How long a link must have been steered before it is called fit for manual steering, seconds: without a lapse in
    /// that time the rate of lapses is below three a minute with a confidence of 95 percent (rule of three).
    package var exposureSeconds = 60.0

    package init() {}

    /// Their sources, one line each, as a report prints them.
    package var sources: [String] {
        [
            "lease \(leaseNanoseconds / 1_000_000) ms: the companion's default; links without one have the tracker's own "
                + "timeout of \(trackerTimeOutNanoseconds / 1_000_000) ms (measured on the MRS stack 1.5.0)",
            "\(Int(saturating: stickHertz)) setpoints a second: QGroundControl's rate while sticks move (the stack's own joystick "
                + "timer runs at 30 Hz)",
            "more than \(Int(saturating: minimumHertz)) a second: required by PX4's offboard mode",
            "\(noticeableDelayNanoseconds / 1_000_000) ms: people notice a delay; from "
                + "\(harmfulDelayNanoseconds / 1_000_000) ms on they fly worse",
            "at least \(Int(saturating: exposureSeconds)) s of steering: without a lapse in that time there are fewer "
                + "than \(Int(saturating: (3 * 3600 / exposureSeconds).rounded())) an hour with a confidence of 95 % "
                + "(rule of three)",
            "braking at \(Int(saturating: brakingMetresPerSecondSquared)) m/s2: the vehicle's 'medium' constraints; "
                + "\(reactionNanoseconds / 1_000_000) ms until its tracker reacts (measured)",
        ]
    }
}
