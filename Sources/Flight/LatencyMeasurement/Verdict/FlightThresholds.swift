internal import ReportKit

/// What the verdict goes by. Each figure has its source; none was chosen to make a link look well.
public struct FlightThresholds: Hashable, Sendable {
    /// The companion's lease: without a fresh setpoint for this long the vehicle is told to hover.
    public var leaseNanoseconds: Int64 = 200_000_000
    /// After this the vehicle's own tracker has stopped by itself (fixed in its code; measured on the real stack). It is all
    /// there is on links without a companion.
    public var trackerTimeOutNanoseconds: Int64 = 500_000_000
    /// How often QGroundControl sends sticks while they move: fewer setpoints a second make steps that a pilot sees.
    public var stickHertz = 25.0
    /// Offboard control of PX4 wants more than this, and gives up after half a second.
    public var leastHertz = 2.0
    /// People notice a delay from here on (100 to 200 ms).
    public var noticedNanoseconds: Int64 = 100_000_000
    /// People fly worse from here on (200 to 300 ms).
    public var worseNanoseconds: Int64 = 200_000_000
    /// How hard the vehicle brakes with the `medium` constraints, metres per second squared.
    public var brakingMetresPerSecondSquared = 2.0
    /// From a command to the tracker's output on the real stack.
    public var reactionNanoseconds: Int64 = 250_000_000
    /// The speed that distances are told for, metres per second.
    public var speedMetresPerSecond = 2.0

    /// The usual ones.
    public init() {}

    /// Where they come from, a line each, as a report prints them.
    public var sources: [String] {
        [
            "lease \(leaseNanoseconds / 1_000_000) ms: the companion's default; links without one have the tracker's own "
                + "time-out of \(trackerTimeOutNanoseconds / 1_000_000) ms (measured on the MRS stack 1.5.0)",
            "\(Int(saturating: stickHertz)) setpoints a second: what QGroundControl sends while sticks move (the stack's own joystick "
                + "timer runs at 30 Hz)",
            "more than \(Int(saturating: leastHertz)) a second: what PX4 wants of offboard control",
            "\(noticedNanoseconds / 1_000_000) ms: people begin to notice a delay; from "
                + "\(worseNanoseconds / 1_000_000) ms on they fly worse",
            "braking at \(Int(saturating: brakingMetresPerSecondSquared)) m/s2: the vehicle's 'medium' constraints; "
                + "\(reactionNanoseconds / 1_000_000) ms until its tracker reacts (measured)",
        ]
    }
}
